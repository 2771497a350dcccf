// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <map>

#include "kernels/matmul_chunks.hpp"
#include "kernels/matmul_direct.hpp"
#include "kernels/matmul_fast.hpp"
#include "kernels/matmul_few_rows.hpp"
#include "kernels/matmul_primitive.hpp"
#include "kernels/parallel.hpp"
#include "kernels/scratch.hpp"
#include "kernels/simd.hpp"

// Behind FastMatmul: for the files that hold its parts.
namespace ttnn_cpu::kernels {

inline constexpr std::size_t kStoredTogether = 1024;  // values that the epilogue takes at a time

struct FastMatmul::Impl {
    explicit Impl(const FastMatmulSpec& given);

    const MatmulPrimitive& primitive(std::size_t m, std::size_t n) const { return *primitives.at({m, n}); }
    void make_primitive(std::size_t m, std::size_t n, WeightsLayout layout);
    std::size_t width(std::size_t panel) const { return std::min(panel_cols, spec.n - panel * panel_cols); }
    std::size_t slice_rows0() const { return spec.transpose0 ? spec.k_padded : spec.m_padded; }
    std::size_t operand_bytes(std::size_t count) const { return count * bytes_of(type); }

    template <typename T>
    void decode_in0_as(const std::byte* in0, std::size_t slice, std::size_t row, std::size_t count, T* out) const;
    template <typename T>
    void decode_in1_as(const std::byte* in1, std::size_t slice, std::size_t col, std::size_t count, T* out) const;
    // Rows of a slice of in0 as [count, k].
    void decode_in0(const std::byte* in0, std::size_t slice, std::size_t row, std::size_t count, void* out) const {
        type == OperandType::Float32 ? decode_in0_as(in0, slice, row, count, static_cast<float*>(out))
                                     : decode_in0_as(in0, slice, row, count, static_cast<std::uint16_t*>(out));
    }
    // Columns of a slice of in1 as [k, count], or [count, k] where transposed.
    void decode_in1(const std::byte* in1, std::size_t slice, std::size_t col, std::size_t count, void* out) const {
        type == OperandType::Float32 ? decode_in1_as(in1, slice, col, count, static_cast<float*>(out))
                                     : decode_in1_as(in1, slice, col, count, static_cast<std::uint16_t*>(out));
    }
    std::size_t stored_together() const { return spec.n <= kPanel ? kStoredTogether / spec.n : 1; }
    std::size_t panel_count() const { return blocks(spec.n, panel_cols); }
    void pack_panels(const std::byte* in1, std::byte* packed) const;
    const std::byte* packed_or_scratch(const std::byte* in1, const std::byte* packed) const;
    const std::byte* decode_all_rows(const std::byte* in0) const;
    void decode_some_rows(const std::byte* in0, std::size_t row, std::size_t count, std::byte* to) const;
    const float* decode_bias(const std::byte* bias, Scratch& scratch) const;
    void store(
        float* sums, std::size_t stride, std::size_t n, std::size_t first_row, std::size_t count, std::size_t col,
        const float* bias, std::byte* out) const;

    void run_weights(
        const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out, const std::byte* packed) const;
    void run_few_rows(
        const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out, const std::byte* packed) const;
    void run_direct(
        const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out, const std::byte* packed) const;
    template <typename T>
    void multiply_rows(
        const std::byte* in0, std::size_t row, std::size_t end, std::size_t first, std::size_t last, const float* bias,
        std::byte* out, const std::byte* packed) const;
    void run_batched(const std::byte* in0, const std::byte* in1, const float* bias, std::byte* out) const;

    FastMatmulSpec spec;
    OperandType type = OperandType::Float32;
    std::size_t rows = 0;    // with values, over all of the batch
    std::size_t height = 0;  // of a chunk
    bool few_rows = false;
    bool direct = false;
    std::size_t panel_cols = kPanel;
    std::size_t panel_bytes = 0;
    std::string key;
    std::map<std::pair<std::size_t, std::size_t>, std::unique_ptr<MatmulPrimitive>> primitives;
};

}  // namespace ttnn_cpu::kernels
