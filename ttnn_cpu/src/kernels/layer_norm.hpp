// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/wormhole/matrix_fpu.hpp"

// Layer normalisation of rows of bfloat16: in plain float32 here, bit for bit as on Wormhole in
// wormhole::layer_norm_rows.
namespace ttnn_cpu::kernels {

struct LayerNormSpec {
    std::size_t columns = 0;  // logical width
    float epsilon = 1e-5F;    // the card keeps its upper 16 bits
    bool rms = false;         // RMS norm: no mean is subtracted
    // Columns of one core, a multiple of 32, where the input is sharded by width or block; 0: a row lies on one core.
    // Each core then divides by its share of the width, and the averages of all are averaged, both in bfloat16.
    std::size_t shard_columns = 0;
    // The card's compute config, for wormhole::layer_norm_rows. With a 16-bit destination steps leave bfloat16 behind.
    wormhole::MatrixUnit unit = {};
    bool approximate = false;  // the root
};

// `stride` elements from one row to the next; a null pointer leaves a step out. Only the logical columns are read and
// written.
template <typename T>
struct LayerNormOperands {
    const T* in = nullptr;
    std::size_t in_stride = 0;
    const T* residual = nullptr;  // added to the input first
    std::size_t residual_stride = 0;
    const T* gamma = nullptr;  // [columns]
    const T* beta = nullptr;   // [columns]
    float* out = nullptr;      // the destination: pack it with pack_bf16, pack_bfp8 or pack_bfp4
    std::size_t out_stride = 0;
    std::size_t rows = 0;
};
using LayerNormRows = LayerNormOperands<std::uint16_t>;
using LayerNormFloatRows = LayerNormOperands<float>;

// All run on the calling thread; rows are independent, so a caller splits them as it likes.
void layer_norm_rows(const LayerNormSpec& spec, const LayerNormRows& data);

namespace wormhole {

// What steps leave in memory, float32 by layer_norm's default config, the unit reads back as TF32.
void layer_norm_rows(const LayerNormSpec& spec, const LayerNormRows& data);
// FLOAT32 operands go the same way: the unit reads them as TF32 too, or as bfloat16 where its destination has 16 bits.
void layer_norm_float_rows(const LayerNormSpec& spec, const LayerNormFloatRows& data);

}  // namespace wormhole
}  // namespace ttnn_cpu::kernels
