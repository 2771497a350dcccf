// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/matmul_operand.hpp"

// Rows of sums on their way to the output, with a bfloat16 destination.
namespace ttnn_cpu::kernels {

struct RowSteps {
    const float* bias = nullptr;           // if there is one
    const std::uint16_t* table = nullptr;  // 65,536 values of the activation, if there is one
    std::uint16_t ceiling = 0;             // clamps from zero to this bfloat16; 0: no clamp
};

// Of the clamp that ReLU is: infinity.
inline constexpr std::uint16_t kReluCeiling = 0x7F80;

// Sums rounded to bfloat16, plus bias, rounded again, the activation, the clamp. n is a multiple of 16.
void finish_row_portable(const float* sums, const RowSteps& steps, std::size_t n, std::uint16_t* out);

// The same; only where cpu_has_avx512().
void finish_row_avx512(const float* sums, const RowSteps& steps, std::size_t n, std::uint16_t* out);

// And packed as bfloat8_b (7 bits) or bfloat4_b (3 bits).
void finish_row_packed_avx512(
    const float* sums, const RowSteps& steps, std::size_t n, int bits, std::uint8_t* codes, std::uint8_t* exponents);

// Rows that are `stride` floats apart, with one bias for all of them, to rows of bfloat16 or bfloat8_b that are out_stride values
// apart.
void finish_rows_avx512(
    const float* sums, std::size_t rows, std::size_t stride, const RowSteps& steps, std::size_t n, std::uint16_t* out,
    std::size_t out_stride);
void finish_rows_packed_avx512(
    const float* sums, std::size_t rows, std::size_t stride, const RowSteps& steps, std::size_t n,
    const OperandPlanes& out, std::size_t out_stride);

}  // namespace ttnn_cpu::kernels
