// SPDX-License-Identifier: Apache-2.0
#pragma once
// Matrix multiplication as Wormhole's matrix engine and TTNN's matmul kernels do it, bit for bit. Sizes are padded:
// multiples of 32. Operands are bfloat16 (block floats decode to it exactly) or float32, which the engine sees as TF32.
#include "kernels/wormhole/matrix_fpu.hpp"

#include <cstddef>
#include <cstdint>

namespace ttnn_cpu::kernels::wormhole {

// What happens to the destination between two blocks of K.
enum class Partials : std::uint8_t {
    // The packer adds every block to memory; without a bias the last block starts from that sum instead.
    PackerL1Acc,
    // Every block starts from the one before, which went through memory in `partials_format`.
    SpillReload,
};

// The format of partial results in memory. Float32 goes with a 32-bit destination, the others with a 16-bit one.
enum class PartialsFormat : std::uint8_t { BFloat16, BFloat8B, BFloat4B, Float32 };

struct MatmulSpec {
    std::size_t m = 0;
    std::size_t k = 0;
    std::size_t n = 0;
    Fidelity fidelity = Fidelity::HiFi2;
    bool fp32_dest = false;
    Partials partials = Partials::SpillReload;
    PartialsFormat partials_format = PartialsFormat::BFloat16;
    // K tiles a block (in0_block_w). No smaller than k / 32 means that partials never leave the destination, except for
    // a bias.
    std::size_t k_block_tiles = 1;
    // A 32-bit destination comes back from memory whole (the mcast factories) or as TF32 (the batched "reuse" factory).
    bool reload_keeps_float32 = true;
    bool has_bias = false;
    // 65,536 bfloat16 values: the activation of every bfloat16, as the SFPU computes it on a 16-bit destination. Not
    // for a 32-bit one.
    const std::uint16_t* activation_table = nullptr;
    bool packer_relu = false;
    // Independent products; the strides are in elements, 0 to share an operand.
    std::size_t batch = 1;
    std::size_t in0_batch_stride = 0;
    std::size_t in1_batch_stride = 0;
    std::size_t out_batch_stride = 0;
};

// A row-major operand; `stride` elements from one row to the next. One of the two pointers is set.
struct MatrixView {
    const std::uint16_t* bf16 = nullptr;
    const float* float32 = nullptr;
    std::size_t stride = 0;
};

struct MatmulOperands {
    MatrixView in0;   // [m, k]
    MatrixView in1;   // [k, n]
    MatrixView bias;  // [1, n] with stride 0, or [m, n]; read if has_bias
};

// out [m, n] in bfloat16: what the packer finds in a 16-bit destination, after activation and ReLU. Runs on
// parallel_for.
void matmul(const MatmulSpec& spec, const MatmulOperands& operands, std::uint16_t* out, std::size_t out_stride);

// out [m, n]: a 32-bit destination before it is packed, after ReLU. pack_bf16 and pack_bfp8 of kernels/formats.hpp pack
// it.
void matmul(const MatmulSpec& spec, const MatmulOperands& operands, float* out, std::size_t out_stride);

// The same, one value after the other with the functions of matrix_fpu.hpp: slow, and the definition.
void matmul_ref(const MatmulSpec& spec, const MatmulOperands& operands, std::uint16_t* out, std::size_t out_stride);
void matmul_ref(const MatmulSpec& spec, const MatmulOperands& operands, float* out, std::size_t out_stride);

// Through memory in a block float format and back, in place: what a 16-bit destination row of `count` (a multiple of
// 16) values is after a spill and a reload.
void round_trip_partials(PartialsFormat format, std::uint16_t* values, std::size_t count);

}  // namespace ttnn_cpu::kernels::wormhole
