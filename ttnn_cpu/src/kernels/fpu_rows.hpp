// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

// Row forms of matrix unit operations with a bfloat16 destination at HiFi4, bit for bit.
namespace ttnn_cpu::kernels {

// out[i] = in[i] * b (ELWMUL); out may be in.
void fpu_scale_bf16(const std::uint16_t* in, std::uint16_t b, std::size_t n, std::uint16_t* out);

// out[i] = a[i * step_a] * b[i * step_b] (ELWMUL); out may be a or b where their step is 1.
void fpu_mul_bf16(
    const std::uint16_t* a, std::size_t step_a, const std::uint16_t* b, std::size_t step_b, std::size_t n,
    std::uint16_t* out);

inline constexpr std::size_t kRowSumBlock = 16;

// sums[r] = the sum of row r as a row reduction with a scaler of one (MVMUL) gives it, for `rows` <= kRowSumBlock rows
// of values that are not negative. columns is a multiple of 32; padding must be zero.
void fpu_row_sums_bf16(
    const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns, std::uint16_t* sums);

// The plain definitions.
std::uint16_t fpu_mul_bf16(std::uint16_t a, std::uint16_t b);
std::uint16_t fpu_row_sum_bf16(const std::uint16_t* in, std::size_t columns);

namespace avx512 {

// Entry i is the magnitude of the product of 1 + i/128 and the significand of b, minus the bits of 1.0. Negative
// products round their ties the other way.
struct ProductRows {
    const std::uint16_t* positive;
    const std::uint16_t* negative;
};

void fpu_scale_bf16(ProductRows table, const std::uint16_t* in, std::uint16_t b, std::size_t n, std::uint16_t* out);
void fpu_row_sums_bf16(
    const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns, std::uint16_t* sums);

}  // namespace avx512
}  // namespace ttnn_cpu::kernels
