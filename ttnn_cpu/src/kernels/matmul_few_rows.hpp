// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/matmul_operand.hpp"

namespace ttnn_cpu::kernels {

// A handful of rows, as a text model has when it adds one token at a time, cost what it takes to read the weights: these are
// read as they are stored.
constexpr std::size_t kFewRows = 8;

// Whether few_rows_avx512 can read such weights, on this CPU.
bool few_rows_supported(StoredFormat weights);

// sums [rows, n] = in [rows, k] * weights [k, col .. col + n), the weights' bits outside of mask cleared. n is a multiple of 32,
// rows at most kFewRows. Products are added in the order of k.
void few_rows_avx512(
    const float* in, std::size_t rows, std::size_t k, const StoredMatrix& weights, std::size_t col, std::size_t n,
    std::uint32_t mask, float* sums);

}  // namespace ttnn_cpu::kernels
