// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/conv_primitive.hpp"

namespace ttnn_cpu::kernels {

// A convolution of each channel with a window of its own (groups = in_channels = out_channels), float32, on the calling
// thread. weights [kernel_h * kernel_w, channels]. Products are added tap by tap with one rounding each.
void depthwise_conv(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out);

// The plain form of the same, with the same bits: for CPUs without AVX-512, and to test against.
void depthwise_conv_portable(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out);

}  // namespace ttnn_cpu::kernels
