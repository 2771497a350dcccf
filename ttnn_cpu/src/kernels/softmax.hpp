// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

// Softmax over rows of bfloat16 as TTNN computes it on Wormhole, bit for bit, quick enough
// for both numerics modes: HiFi4, a bfloat16 destination, bfloat16 between the steps.
namespace ttnn_cpu::kernels {

// TTNN has two kernels: the attention kernel (rank 4 and the last dimension, and every scale_mask_softmax), where
// math_approx_mode of the compute config (true by default) sets both approximations; and the general kernel for other
// ranks, which is always stable, has no scale or mask, and whose exp is always accurate.
struct SoftmaxSpec {
    std::size_t columns = 0;     // logical width: what the sum runs over
    bool numeric_stable = true;  // subtract the maximum of the row first
    bool exp_approx = true;
    bool reciprocal_approx = true;
    std::optional<float> scale;  // multiplies the row before a mask is added; the card keeps its upper 16 bits
};

// Rows of bfloat16 values; `stride` elements from one row to the next. Neither reads nor writes past the logical
// columns.
struct SoftmaxRows {
    const std::uint16_t* in = nullptr;
    std::size_t in_stride = 0;
    const std::uint16_t* mask = nullptr;  // added after the scale; nullptr for none
    std::size_t mask_stride = 0;          // 0: the same mask for every row
    std::uint16_t* out = nullptr;         // may be `in`
    std::size_t out_stride = 0;
    std::size_t rows = 0;
};

// Runs on the calling thread; rows are independent, so a caller splits them as it likes.
void softmax_rows(const SoftmaxSpec& spec, const SoftmaxRows& data);

// The general kernels over another dimension than the last, for `width` <= 32 lines side by side: element d of line i is
// block[d * width + i], and is replaced. Rows of a tile are summed by a column reduction, outer dimensions tile by tile.
enum class SoftmaxSum : std::uint8_t { ColumnReduction, TileByTile };
void softmax_lines(SoftmaxSum sum, bool reciprocal_approx, std::size_t length, std::size_t width, std::uint16_t* block);

// The same with float32 between the steps, for mode fast: the card's exponential and reciprocal, but one rounding at
// the end.
void softmax_rows_fast(const SoftmaxSpec& spec, const SoftmaxRows& data);

// FLOAT32 tensors: the plain formula in float32, accurate; not the card's bits.
void softmax_rows_f32(
    std::size_t columns, const float* in, std::size_t in_stride, std::size_t rows, float* out, std::size_t out_stride);

// Reciprocal as the softmax kernels use it (recip_tile with legacy_compat) on a bfloat16 destination. The approximate
// form is off by up to 4 %.
float reciprocal_compat(float x, bool approx);

}  // namespace ttnn_cpu::kernels
