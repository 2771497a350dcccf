// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/sfpu.hpp"

// The functions behind apply_unary. Each takes what it loads from the destination and returns what it stores, before
// the store.
namespace ttnn_cpu::kernels::sfpu {

float exp_bf16(float x);    // the kernel of ttnn::exp
float exp_inline(float x);  // the same method as other kernels use it, not rounded
float exp_float32(float x);
float exp_approx(float x);
float sigmoid(float x, Destination destination);
float sigmoid_approx(float x);
float silu(float x, Destination destination);
float mish(float x, bool approx, Destination destination);
float tanh(float x, Destination destination);
float tanh_float32(float x);
float tanh_approx(float x);
float softplus(float x, float beta, float threshold, Destination destination);

float gelu(float x, Destination destination);
float gelu_approx(float x);
float gelu_tanh(float x, Destination destination);
float erf(float x, Destination destination);

float sqrt(float x, bool reciprocal_root, Destination destination);
float rsqrt_approx(float x, Destination destination);
float log(float x, float base_scale, Destination destination);
float hardsigmoid(float x);
float hardswish(float x, Destination destination);
float power(float x, std::uint32_t exponent);
float trunc(float x);
float floor(float x);
float ceil(float x);

// round_bf16 for a bfloat16 destination, nothing for float32.
float rounded(float x, Destination destination);

}  // namespace ttnn_cpu::kernels::sfpu
