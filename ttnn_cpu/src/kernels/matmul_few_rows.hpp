// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/matmul_operand.hpp"

// A handful of rows, as a text model has when it adds one token at a time, cost what it takes to read the weights. So
// these stay in 8 or 16 bits, in panels of 64 columns that are read from the first byte to the last.
namespace ttnn_cpu::kernels {

constexpr std::size_t kFewRows = 8;
constexpr std::size_t kFewRowsColumns = 64;

// Whether there is a kernel for such weights on this CPU.
bool few_rows_supported(StoredFormat weights);

// Bytes of a panel, a multiple of 64.
std::size_t few_rows_panel_bytes(StoredFormat weights, std::size_t k);

// The panel that starts at column col; columns from matrix.cols on become zero, and so do the bits outside of mask.
void few_rows_pack(
    const OperandMatrix& weights, std::size_t k, std::size_t col, std::uint32_t mask, std::uint8_t* panel);

// sums [rows, 64] = in [rows, k] * panel, products added in the order of k. rows is at most kFewRows.
void few_rows_multiply(
    const float* in, std::size_t rows, std::size_t k, StoredFormat weights, const std::uint8_t* panel, float* sums);

}  // namespace ttnn_cpu::kernels
