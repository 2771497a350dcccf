// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// A product of short rows with packed columns, float32, on the calling thread: for matrices so small that calling a library
// costs more than multiplying. Sums run along k with one rounding a step, whatever the sizes.
namespace ttnn_cpu::kernels {

inline constexpr std::size_t kDirectColumns = 64;  // of a panel

// Whether the CPU can, and the rows are short enough for it to pay.
bool direct_supported(std::size_t k);

inline std::size_t direct_panel_floats(std::size_t k) { return k * kDirectColumns; }

// plain [k, columns], up to kDirectColumns.
void direct_pack(const float* plain, std::size_t k, std::size_t columns, float* panel);

// sums [rows, stride], n of its columns (a multiple of 16) from in [rows, k] and the panels of these columns.
void direct_multiply(
    const float* in, std::size_t rows, std::size_t k, const float* panels, std::size_t n, float* sums,
    std::size_t stride);

// The plain form of the same, with the same bits, to test against.
void direct_multiply_portable(
    const float* in, std::size_t rows, std::size_t k, const float* panels, std::size_t n, float* sums,
    std::size_t stride);

}  // namespace ttnn_cpu::kernels
