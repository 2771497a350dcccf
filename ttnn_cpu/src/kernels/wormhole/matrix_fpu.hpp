// SPDX-License-Identifier: Apache-2.0
#pragma once
// The arithmetic of Wormhole's matrix unit and packer on single values: the plain definition that the vector code must
// equal on every bit.
//
// A source operand (SrcA, SrcB) and a destination value (Dst) are passed as the bits of a float32. Sources hold 19
// bits: a bfloat16 in the upper half, or a TF32 (the low 13 bits are dropped). A 16-bit destination holds a bfloat16 in
// the upper half. An exponent of 255 is an ordinary exponent to the matrix unit; an exponent of 0 is a zero whatever
// the fraction says.
#include <cstdint>

namespace ttnn_cpu::kernels::wormhole {

// How many passes over the operand bits a product takes; the value is the number of phases.
enum class Fidelity : std::uint8_t { LoFi = 1, HiFi2 = 2, HiFi3 = 3, HiFi4 = 4 };

enum class DestWidth : std::uint8_t { Bits16, Bits32 };

// How a kernel has set up the unit.
struct MatrixUnit {
    Fidelity fidelity = Fidelity::HiFi4;
    DestWidth dest = DestWidth::Bits32;
};

constexpr std::uint32_t widen_bf16(std::uint16_t bits) { return std::uint32_t{bits} << 16; }

// One MVMUL lane: dst + sum over 16 of in0[i] * in1[i], taking the operand bits of one phase (0 to 3). in0 is what
// matmul calls its first operand (SrcB), in1 the second (SrcA); they keep different bits, so the order matters.
std::uint32_t mvmul(std::uint32_t dst, const std::uint32_t* in0, const std::uint32_t* in1, int phase, DestWidth width);

// ELWADD and ELWSUB with accumulation off: a + b, a - b. Fidelity does not apply.
std::uint32_t fpu_add(std::uint32_t a, std::uint32_t b, DestWidth width);
std::uint32_t fpu_sub(std::uint32_t a, std::uint32_t b, DestWidth width);

// ELWADD with accumulation on and a zero beside a: dst + a.
std::uint32_t fpu_accumulate(std::uint32_t dst, std::uint32_t a, DestWidth width);

// One phase of ELWMUL: dst + a * b, where a sits in SrcA (5 bits a phase) and b in SrcB (7 bits a phase).
std::uint32_t fpu_mul_phase(std::uint32_t dst, std::uint32_t a, std::uint32_t b, int phase, DestWidth width);

// All phases of ELWMUL on a cleared destination.
std::uint32_t fpu_mul(std::uint32_t a, std::uint32_t b, Fidelity fidelity, DestWidth width);

// What the packer writes to bfloat16 memory. From a 16-bit destination: denormals to +0, NaN to infinity. From a 32-bit
// one: rounds half away from zero as well.
std::uint16_t pack_bf16_from_dst16(std::uint16_t dst);
std::uint16_t pack_bf16_from_dst32(std::uint32_t dst);

// The packer's accumulation into memory (L1): bfloat16 rounds to nearest even; both flush denormals.
std::uint16_t l1_accumulate_bf16(std::uint16_t memory, std::uint16_t value);
std::uint32_t l1_accumulate_fp32(std::uint32_t memory, std::uint32_t value);

// float32 on its way into a source register.
constexpr std::uint32_t truncate_to_tf32(std::uint32_t bits) { return bits & 0xFFFFE000U; }

}  // namespace ttnn_cpu::kernels::wormhole
