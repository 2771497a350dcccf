// SPDX-License-Identifier: Apache-2.0
#pragma once
// Which of TTNN's matmul programs runs, and how it cuts K: both change the bits of a result. Sizes in tiles unless they
// say bytes.
#include "kernels/wormhole/matrix_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace ttnn_cpu::kernels::wormhole {

enum class MatmulProgram : std::uint8_t {
    MultiCore,    // MatmulMultiCoreProgramConfig: all of K in the destination
    Reuse,        // MatmulMultiCoreReuseProgramConfig
    Mcast1DIn0,   // MatmulMultiCoreReuseMultiCast1DProgramConfig with mcast_in0
    Mcast1DIn1,   // the same without
    Mcast2D,      // MatmulMultiCoreReuseMultiCastProgramConfig
    DramSharded,  // MatmulMultiCoreReuseMultiCastDRAMShardedProgramConfig
};

struct MatmulPlan {
    MatmulProgram program = MatmulProgram::MultiCore;
    std::size_t in0_block_w = 0;  // 0 for MultiCore, which has no blocks
    std::size_t per_core_m = 0;
    std::size_t per_core_n = 0;
};

// Fills k_block_tiles, partials, partials_format and reload_keeps_float32 of `spec` (k, fp32_dest and has_bias must be
// set). `output` is the format of the output tensor, which partials take when the packer does not accumulate.
void set_k_blocking(
    MatmulProgram program, std::size_t in0_block_w, bool packer_l1_acc, PartialsFormat output, MatmulSpec& spec);

struct Shard {
    enum class Layout : std::uint8_t { Height, Width, Block };
    Layout layout = Layout::Height;
    std::size_t rows = 0;  // of one shard
    std::size_t columns = 0;
    std::size_t grid_x = 0;
    std::size_t grid_y = 0;
    bool column_major = false;
};

// A matmul without a program config, as far as TTNN's choice depends on it. m, k, n are those of one batch.
struct MatmulShape {
    std::size_t batch_a = 1;
    std::size_t batch_b = 1;
    std::size_t m = 0;
    std::size_t k = 0;
    std::size_t n = 0;
    std::size_t grid_x = 8;  // the device's, or the core_grid of the call
    std::size_t grid_y = 8;
    bool user_grid = false;       // a core_grid was given
    bool all_dram = true;         // operands and output in DRAM
    bool all_interleaved = true;  // operands and output interleaved
    bool transpose_a = false;
    std::optional<Shard> a_shard;
    std::optional<Shard> out_shard;  // where the output's memory config gives one; only layout and grid count
    std::size_t in0_tile_bytes = 2048;
    std::size_t in1_tile_bytes = 2048;
    std::size_t partials_tile_bytes = 2048;  // 4096 with a 32-bit destination, else the larger of 2048 and the output's
    std::size_t bias_tile_bytes = 0;
    std::size_t l1_bytes = 1393472;  // free for circular buffers on a core
};

// The program config TTNN would generate.
MatmulPlan choose_plan(const MatmulShape& shape);

}  // namespace ttnn_cpu::kernels::wormhole
