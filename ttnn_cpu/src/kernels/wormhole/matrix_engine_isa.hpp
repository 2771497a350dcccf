// SPDX-License-Identifier: Apache-2.0
#pragma once
// The seam between the matrix engine and its vector code: the packed form of the operands, and one table of functions
// an instruction set.
#include "kernels/wormhole/matrix_engine.hpp"

#include <cstddef>
#include <cstdint>

namespace ttnn_cpu::kernels::wormhole {

inline constexpr std::size_t kTile = 32;

// Packed in0: for each row and k, 32-bit words that hold a 16-bit number twice (cheap to broadcast): the exponent, then
// the signed slices of the significand (one up to HiFi2, two above). Packed in1: for each k, rows of 32 columns of
// 16-bit numbers: the exponents, then the signed slices (one for LoFi, else two).
constexpr std::size_t in0_parts(int phases) { return phases <= 2 ? 2 : 3; }
constexpr std::size_t in1_parts(int phases) { return phases == 1 ? 2 : 3; }

// Stands for the exponent of a zero: so low that a group of nothing but zeros underflows.
inline constexpr std::int16_t kZeroExponent = -4096;

// What a phase adds to the sum of the operands' exponents.
constexpr int exponent_offset(int phase) { return -127 - ((phase & 1) != 0 ? 5 : 0) - ((phase & 2) != 0 ? 7 : 0); }

struct EngineIsa {
    const char* name;
    // `rows` rows of k values from element `offset` on; packed as [k / 32][rows][32][parts].
    void (*pack_in0)(
        const MatrixView& in0, std::size_t offset, std::size_t rows, std::size_t k, Fidelity, std::uint32_t* to);
    // k rows of 32 columns from element `offset` on; packed as [k][parts][32].
    void (*pack_in1)(const MatrixView& in1, std::size_t offset, std::size_t k, Fidelity, std::int16_t* to);
    // Adds `rows` x 32 (in0) times 32 x 32 (in1) to `rows` x 32 of destination: phases outermost, then the two halves
    // of k.
    void (*mvmul_tile16)(
        Fidelity, const std::uint32_t* in0, const std::int16_t* in1, std::uint16_t* dst, std::size_t rows);
    void (*mvmul_tile32)(
        Fidelity, const std::uint32_t* in0, const std::int16_t* in1, std::uint32_t* dst, std::size_t rows);
    // memory[i] = l1_accumulate_bf16(memory[i], value[i])
    void (*accumulate_l1_bf16)(const std::uint16_t* value, std::size_t count, std::uint16_t* memory);
};

// Null where the build has no such code or the processor lacks the instructions.
const EngineIsa* engine_avx512();
const EngineIsa* engine_avx2();
const EngineIsa* engine_plain();

// The fastest one here; the same bits from all.
const EngineIsa& best_engine();

}  // namespace ttnn_cpu::kernels::wormhole
