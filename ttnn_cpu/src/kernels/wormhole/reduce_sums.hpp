// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/wormhole/matrix_fpu.hpp"

// Sums over rows and columns of tiles as Wormhole's reduce instructions give them, bit for bit. Values and `scaler`, by
// which every value is multiplied, are cut to TF32, as in the source registers.
namespace ttnn_cpu::kernels::wormhole {

inline constexpr std::size_t kSumLanes = 16;

struct SumSpec {
    float scaler = 1.0F;
    Fidelity fidelity = Fidelity::HiFi4;
    DestWidth dest = DestWidth::Bits32;
};

// One column (REDUCE_COL) of bfloat16 values with a bfloat16 destination at HiFi4, a scaler of one.
std::uint16_t sum_column_bf16(const std::uint16_t* in, std::size_t stride, std::size_t rows);

// sums[r] over the columns of each of `rows` <= kSumLanes rows (REDUCE_ROW). columns: a multiple of 32, padding zero.
void sum_rows(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums);

// sums[c] over the rows of each of `columns` <= kSumLanes columns (REDUCE_COL); rows need no padding.
void sum_columns(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums);

// The sum of a whole 32x32 tile (REDUCE_SCALAR): columns of all four faces first, then those 16 sums, which lose the
// bits in `dropped` on their way back into a source register. Both steps multiply by the scaler.
float sum_tile(const SumSpec& spec, const float* in, std::uint32_t dropped);

// sums[i] += values[i] by the matrix unit (ELWADD that accumulates).
void accumulate_tiles(const float* values, std::size_t n, DestWidth dest, float* sums);

// The plain definitions, and the vector forms (32-bit destinations only) behind the first two functions above.
void sum_rows_ref(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums);
void sum_columns_ref(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums);
void sum_rows_avx512(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums);
void sum_columns_avx512(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums);

}  // namespace ttnn_cpu::kernels::wormhole
