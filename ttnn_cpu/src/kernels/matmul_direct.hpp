// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

// A product of a few rows with packed columns on the calling thread, for matrices so small that calling a library and writing its
// sums to memory costs much beside multiplying. Sums of float32 run along k with one rounding a step, whatever the sizes.
namespace ttnn_cpu::kernels {

inline constexpr std::size_t kDirectColumns = 64;  // of a panel
inline constexpr std::size_t kDirectTile = 12;     // rows of a block of sums, at most

// Whether the CPU can, and a panel of that depth stays close to the core. bfloat16: for operands of that type.
bool direct_supported(std::size_t k, bool bfloat16);

inline std::size_t direct_panel_values(std::size_t k) { return k * kDirectColumns; }

// plain [k, columns], up to kDirectColumns. For bfloat16 k is even.
void direct_pack(const float* plain, std::size_t k, std::size_t columns, float* panel);
void direct_pack(const std::uint16_t* plain, std::size_t k, std::size_t columns, std::uint16_t* panel);

// Takes a block of sums, which it may change: rows from `row` on, kDirectColumns apart.
using DirectBlock = std::function<void(float* sums, std::size_t row, std::size_t rows)>;

// in [rows, stride], of which k columns count, times one panel, of which n columns (a multiple of 16) count.
void direct_multiply(
    const float* in, std::size_t stride, std::size_t rows, std::size_t k, const float* panel, std::size_t n,
    const DirectBlock& take);
// The same for operands that lie apart: value i of a row is offsets[i] floats behind its first.
void direct_multiply_apart(
    const float* in, std::size_t stride, std::size_t rows, const std::uint32_t* offsets, std::size_t k,
    const float* panel, std::size_t n, const DirectBlock& take);
// bfloat16, only where direct_supported: two products and a sum of each instruction.
void direct_multiply(
    const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t k, const std::uint16_t* panel,
    std::size_t n, const DirectBlock& take);

// The plain form of the first two, with the same bits: for CPUs without AVX-512, and to test against. offsets: null for values side
// by side.
void direct_multiply_portable(
    const float* in, std::size_t stride, std::size_t rows, const std::uint32_t* offsets, std::size_t k,
    const float* panel, std::size_t n, const DirectBlock& take);

}  // namespace ttnn_cpu::kernels
