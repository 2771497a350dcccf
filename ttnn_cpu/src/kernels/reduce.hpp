// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/wormhole/matrix_fpu.hpp"

// Reductions of a 2D block, as TTNN computes sum, mean, max and min on Wormhole.
namespace ttnn_cpu::kernels {

enum class ReduceFunction : std::uint8_t { Sum, Mean, Max, Min };

struct ReduceSpec {
    ReduceFunction function = ReduceFunction::Sum;
    float scalar = 1.0F;                                      // multiplies the result
    wormhole::Fidelity fidelity = wormhole::Fidelity::HiFi3;  // TTNN's default on Wormhole
    wormhole::DestWidth dest = wormhole::DestWidth::Bits32;
    bool vector_unit = false;  // FLOAT32 sums and maxima: whole float32 there, else TF32 in the matrix unit
};

// [rows, columns] logical values, `stride` elements from row to row. The result is what the packer finds in the
// destination: pack it with pack_bf16, pack_bfp8 or pack_bfp4. Bit for bit, in both numerics modes.
void reduce_over_columns_bf16(
    const ReduceSpec& spec, const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns,
    float* out);
void reduce_over_rows_bf16(
    const ReduceSpec& spec, const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns,
    float* out);

// FLOAT32 tensors. Minima have no form on the vector unit.
void reduce_over_columns_f32(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* out);
void reduce_over_rows_f32(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* out);

// Sum or mean of the upper left [rows, columns] of one 32x32 tile, without a result between the two dimensions.
float reduce_tile(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns,
    bool float32_values);

// The largest of n bfloat16 values; minus infinity for none.
std::uint16_t max_bf16(const std::uint16_t* in, std::size_t n);

}  // namespace ttnn_cpu::kernels
