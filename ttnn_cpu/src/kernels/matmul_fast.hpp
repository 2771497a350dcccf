// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "kernels/matmul_epilogue.hpp"
#include "kernels/matmul_operand.hpp"

// Matrix multiplication with float32 sums, for mode fast.
namespace ttnn_cpu::kernels {

struct FastMatmulSpec {
    // out[b] = in0[b] [m, k] * in1[b] [k, n] for b < batch. One in0 or in1 may serve for all b.
    std::size_t batch = 1;
    bool one_in0 = false;
    bool one_in1 = true;
    std::size_t m = 0;             // rows with values
    std::size_t m_padded = 0;      // of in0
    std::size_t out_m_padded = 0;  // rows between m and it become zero
    std::size_t k = 0;             // padding of K is not read
    std::size_t k_padded = 0;
    std::size_t n = 0;  // padded
    // Slices are stored [k, m] and [n, k] where transposed.
    bool transpose0 = false;
    bool transpose1 = false;
    StoredFormat in0_format = StoredFormat::Bfloat16;
    StoredFormat in1_format = StoredFormat::Bfloat16;
    StoredFormat out_format = StoredFormat::Bfloat16;
    // What the fidelity leaves of the operands.
    std::uint32_t mask0 = fraction_mask(10);
    std::uint32_t mask1 = fraction_mask(9);
    StoredFormat bias_format = StoredFormat::Bfloat16;
    std::size_t bias_rows_padded = 32;
    bool bias_is_block = false;  // [m, n] for every b, not one row
    MatmulEpilogue epilogue;
};

// Sizes, formats and primitives of one matmul; run() may be called from several threads at a time.
class FastMatmul {
public:
    explicit FastMatmul(const FastMatmulSpec& spec);
    ~FastMatmul();
    FastMatmul(const FastMatmul&) = delete;
    FastMatmul& operator=(const FastMatmul&) = delete;

    // Whether in1 is laid out anew before it is used, which is worth keeping while in1 stays as it is.
    [[nodiscard]] bool packs() const;
    // Names that form; equal for every FastMatmul that can use it.
    [[nodiscard]] const std::string& packed_key() const;
    [[nodiscard]] std::shared_ptr<const void> pack(const std::byte* in1) const;

    // packed: from pack(), or null to do without; the bits are the same. bias: null if there is none.
    void run(
        const std::byte* in0, const std::byte* in1, const std::byte* bias, std::byte* out, const void* packed) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace ttnn_cpu::kernels
