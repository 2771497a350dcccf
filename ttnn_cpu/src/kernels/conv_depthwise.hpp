// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv_primitive.hpp"
#include "kernels/matmul_epilogue_rows.hpp"

namespace ttnn_cpu::kernels {

// A convolution of each channel with a window of its own (groups = in_channels = out_channels), float32, on the calling
// thread. weights [kernel_h * kernel_w, channels]. Products are added tap by tap with one rounding each.
void depthwise_conv(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out);

// The plain form of the same, with the same bits: for CPUs without AVX-512, and to test against.
void depthwise_conv_portable(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out);

// A window of 3 x 3 over stored bfloat16, straight to stored bfloat16.
struct DepthwiseStored {
    std::size_t in_h = 0;
    std::size_t in_w = 0;
    std::size_t out_w = 0;
    std::size_t channels = 0;  // a multiple of 16
    std::size_t stride_h = 1;
    std::size_t stride_w = 1;  // 1 or 2
    std::size_t pad_top = 0;
    std::size_t pad_left = 0;
    std::size_t in_cols = 0;  // values from pixel to pixel
    std::size_t out_cols = 0;
};

// Rows first_row to last_row of the output. in: the first pixel of the image, out: of the first row that is made; weights
// [9, channels]. Same sums as depthwise_conv, for inputs with denormals as zeros. Only where cpu_has_avx512().
void depthwise_stored(
    const DepthwiseStored& spec, const std::uint16_t* in, const float* weights, const RowSteps& steps,
    std::size_t first_row, std::size_t last_row, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels
