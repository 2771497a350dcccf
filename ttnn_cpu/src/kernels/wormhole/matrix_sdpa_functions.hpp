// SPDX-License-Identifier: Apache-2.0
#pragma once
// The vector unit's functions inside the attention kernel, on bfloat16 values in a 16-bit destination.
#include <cstdint>

namespace ttnn_cpu::kernels::wormhole {

// exp(x * scale) as packed with ReLU, for every bfloat16 x: Schraudolph's method, which turns negative far below zero,
// hence the ReLU. 65,536 entries, made at the first use of a scale and kept for good. Safe from any thread.
const std::uint16_t* sdpa_exp_table(float scale);

// exp(x * scale) for the difference of two row maxima. `approx` picks the more exact method of the two, as the kernel
// does.
std::uint16_t sdpa_exp_of_difference(std::uint16_t x, float scale, bool approx);

// 1 / x of a row sum by Newton's method from a fixed guess: 2 steps and no rounding, or 3 with rounding.
std::uint16_t sdpa_reciprocal(std::uint16_t x, bool approx);

}  // namespace ttnn_cpu::kernels::wormhole
