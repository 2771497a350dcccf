// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace ttnn_cpu::kernels {

// Sums to a bfloat16 destination: rounded, plus bias (null: none), through the table of an activation (null: none) or
// ReLU. n is a multiple of 16. Only where cpu_has_avx512().
void finish_row_avx512(
    const float* sums, const float* bias, std::size_t n, const std::uint16_t* table, bool relu, std::uint16_t* out);

// The same on any CPU.
void finish_row_portable(
    const float* sums, const float* bias, std::size_t n, const std::uint16_t* table, bool relu, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels
