// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

// Element-wise instructions of Wormhole's matrix unit, on one element. Operands are float32 bit patterns of at most 10
// fraction bits (bfloat16 or TF32); a denormal operand counts as zero.
namespace ttnn_cpu::kernels::fpu {

// Adds the term (-1)^sign * significand * 2^(exp - 150) to the destination and rounds: in float32 to 24 bits, else to
// 8, ties away from zero. Underflow gives +0, overflow an infinity.
std::uint32_t accumulate(
    std::uint32_t sign, int exp, std::uint32_t significand, std::uint32_t destination, bool float32);

// a + b. The smaller operand is aligned to the larger, keeping 10 fraction bits, ties away from zero.
std::uint32_t elw_add(std::uint32_t a, std::uint32_t b, bool float32);
inline std::uint32_t elw_sub(std::uint32_t a, std::uint32_t b, bool float32) {
    return elw_add(a, b ^ 0x80000000U, float32);
}

// a * b in `phases` passes (1 LoFi .. 4 HiFi4) over parts of the operands, each accumulated in the destination.
std::uint32_t elw_mul(std::uint32_t a, std::uint32_t b, int phases, bool float32);

}  // namespace ttnn_cpu::kernels::fpu
