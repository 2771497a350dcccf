// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_epilogue.hpp"

#include <algorithm>
#include <bit>
#include <span>

#include "kernels/matmul_epilogue_rows.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kStrip = 1024;  // columns worked on at a time, so that their bfloat16 stay in L1

// As bf16_round_away, in a form that vectorises.
TTNN_CPU_ALWAYS_INLINE std::uint32_t round_away(std::uint32_t bits) {
    const std::uint32_t magnitude = bits & 0x7FFFFFFFU;
    const std::uint32_t finite = magnitude > 0x7F800000U ? (bits & 0x80000000U) | 0x7F800000U : bits;
    const std::uint32_t rounded = (finite + 0x8000U) & 0xFFFF0000U;
    return (rounded & 0x7F800000U) == 0 ? 0 : rounded;
}

TTNN_CPU_SIMD_CLONES
void round_sums(const float* sums, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::uint16_t>(round_away(std::bit_cast<std::uint32_t>(sums[i])) >> 16);
    }
}

TTNN_CPU_SIMD_CLONES
void round_sums_and_add(const float* sums, const float* bias, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const float product = std::bit_cast<float>(round_away(std::bit_cast<std::uint32_t>(sums[i])));
        out[i] = static_cast<std::uint16_t>(round_away(std::bit_cast<std::uint32_t>(product + bias[i])) >> 16);
    }
}

TTNN_CPU_SIMD_CLONES
void clamp_bf16(std::uint16_t* values, std::size_t n, std::uint16_t ceiling) {
    for (std::size_t i = 0; i < n; ++i) {
        values[i] = (values[i] & 0x8000U) != 0 ? 0 : std::min(values[i], ceiling);
    }
}

TTNN_CPU_SIMD_CLONES
void add_f32(float* sums, const float* bias, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        sums[i] += bias[i];
    }
}

}  // namespace

void finish_row_portable(const float* sums, const RowSteps& steps, std::size_t n, std::uint16_t* out) {
    if (steps.bias != nullptr) {
        round_sums_and_add(sums, steps.bias, n, out);
    } else {
        round_sums(sums, n, out);
    }
    for (std::size_t i = 0; steps.table != nullptr && i < n; ++i) {
        out[i] = steps.table[out[i]];
    }
    if (steps.ceiling != 0) {
        clamp_bf16(out, n, steps.ceiling);
    }
}

void MatmulEpilogue::prepare() {
    ceiling = relu ? kReluCeiling : 0;
    if (activation && !float32_destination) {
        table = &unary_table(*activation);
        if (table->ceiling() != 0) {
            ceiling = table->ceiling();  // which leaves nothing for a ReLU
            table = nullptr;
        }
    }
}

void MatmulEpilogue::store_row(
    float* sums, std::size_t n, const float* bias, const OperandMatrix& out, std::size_t row, std::size_t col) const {
    if (float32_destination) {
        if (has_bias) {
            add_f32(sums, bias, n);
        }
        if (activation) {
            apply_unary_f32(std::span(&*activation, 1), sums, n, sums);
        }
        if (relu) {
            std::transform(sums, sums + n, sums, [](float value) { return value > 0.0F ? value : 0.0F; });
        }
        encode_row(out, row, col, n, sums);
        return;
    }
    const RowSteps all = steps(bias);
#if defined(__x86_64__)
    if (cpu_has_avx512() && (out.format == StoredFormat::Bfloat8B || out.format == StoredFormat::Bfloat4B)) {
        const OperandPlanes at = planes_of(out, row, col);
        finish_row_packed_avx512(sums, all, n, out.format == StoredFormat::Bfloat8B ? 7 : 3, at.values, at.exponents);
        return;
    }
#endif
    const auto finish = [&](std::size_t first, std::size_t width, std::uint16_t* to) {
        RowSteps some = all;
        some.bias = all.bias == nullptr ? nullptr : all.bias + first;
#if defined(__x86_64__)
        if (cpu_has_avx512()) {
            finish_row_avx512(sums + first, some, width, to);
            return;
        }
#endif
        finish_row_portable(sums + first, some, width, to);
    };
    if (out.format == StoredFormat::Bfloat16) {
        finish(0, n, reinterpret_cast<std::uint16_t*>(out.data) + row * out.cols + col);
        return;
    }
    alignas(64) std::uint16_t strip[kStrip];
    for (std::size_t first = 0; first < n; first += kStrip) {
        const std::size_t width = std::min(kStrip, n - first);
        finish(first, width, strip);
        encode_row(out, row, col + first, width, strip);
    }
}

void MatmulEpilogue::store_rows(
    float* sums, std::size_t rows, std::size_t stride, std::size_t n, const float* bias, const OperandMatrix& out,
    std::size_t row, std::size_t col) const {
#if defined(__x86_64__)
    if (cpu_has_avx512() && !float32_destination && out.format == StoredFormat::Bfloat16) {
        auto* const to = reinterpret_cast<std::uint16_t*>(planes_of(out, row, col).values);
        finish_rows_avx512(sums, rows, stride, steps(bias), n, to, out.cols);
        return;
    }
    if (cpu_has_avx512() && !float32_destination && out.format == StoredFormat::Bfloat8B) {
        finish_rows_packed_avx512(sums, rows, stride, steps(bias), n, planes_of(out, row, col), out.cols);
        return;
    }
#endif
    for (std::size_t i = 0; i < rows; ++i) {
        store_row(sums + i * stride, n, bias, out, row + i, col);
    }
}

}  // namespace ttnn_cpu::kernels
