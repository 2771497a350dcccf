// SPDX-License-Identifier: Apache-2.0
#pragma once
// Single steps of compute kernels on 32x32 tiles, for programs that are not a plain matmul. Tiles are views on
// row-major memory.
#include "kernels/wormhole/matrix_engine.hpp"

#include <cstddef>
#include <cstdint>

namespace ttnn_cpu::kernels::wormhole {

// matmul_tiles: dst [rows, 32] += in0 [rows, 32] x in1 [32, 32]. dst is dense; rows up to 32.
void mvmul_tile(Fidelity fidelity, const MatrixView& in0, const MatrixView& in1, std::size_t rows, std::uint16_t* dst);
void mvmul_tile(Fidelity fidelity, const MatrixView& in0, const MatrixView& in1, std::size_t rows, std::uint32_t* dst);

// reduce_tile for sum and average (the average's 1/n is the scaler, a bfloat16 or TF32 in float32 bits); dst
// accumulates over tiles. Row: dst[i] += scaler * sum of row i (phases outermost, the tile in SrcB, the scaler in
// SrcA). Column: dst[j] += scaler * sum of column j (each 16-row face takes all its phases in turn; the tile in SrcA,
// the scaler in SrcB).
void reduce_sum_rows(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint16_t* dst);
void reduce_sum_rows(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint32_t* dst);
void reduce_sum_columns(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint16_t* dst);
void reduce_sum_columns(Fidelity fidelity, const MatrixView& tile, std::uint32_t scaler, std::uint32_t* dst);

// reduce_tile for max, with a scaler of 1. Start dst at kMaxStart. Denormals count as +0, and sign and magnitude order
// all bit patterns. Values that leave a row reduction pass through an addition with zero, which turns -0 into +0.
inline constexpr std::uint16_t kMaxStart = 0xFFFF;
void reduce_max_rows(const MatrixView& tile, std::uint16_t* dst);
void reduce_max_columns(const MatrixView& tile, std::uint16_t* dst);

}  // namespace ttnn_cpu::kernels::wormhole
