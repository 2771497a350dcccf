// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of choose_program_config: the choices of TTNN 0.77, since they decide blocks and thereby both the use of
// L1 and where partial results are rounded.
#include "ops/matmul/params.hpp"

namespace ttnn_cpu::matmul_op {

struct Block {
    std::uint32_t h;
    std::uint32_t w;
    std::uint32_t k = 0;
};

// Everything the choice looks at.
struct Problem {
    Problem(const Tensor& in0, const Tensor& in1, const Params& given, std::uint32_t bias_bytes);

    // Whether the buffers for an output block of h x w tiles, k tiles of K at a time, fit into what is free of L1.
    bool fits(std::uint32_t h, std::uint32_t w, std::uint32_t k) const;

    const Tensor& a;
    const Tensor& b;
    const Params& params;
    Sizes sizes;
    std::uint32_t bias_tile_bytes;
    std::uint64_t l1_space;
    std::uint32_t partials_tile_bytes;
    bool float32_dest;
};

bool is_narrow(std::uint32_t height, std::uint32_t width, bool all_dram);
void check_tile_multiples(const Sizes& sizes);

// The first of TTNN's sub-blocks, read as (height, width), that divides the block; of full height or width where
// asked for.
Block subblock_high(std::uint32_t h, std::uint32_t w, bool whole_h, bool whole_w, bool float32_dest);
// The same, read as (width, height).
Block subblock_wide(std::uint32_t h, std::uint32_t w, bool float32_dest);

// The largest part of a core's output whose buffers fit into L1, squares first among equals. With shrink_k a shorter
// K block is tried before a smaller output.
Block largest_block(
    const Problem& problem, std::uint32_t per_core_m, std::uint32_t per_core_n, std::uint32_t k, bool shrink_k);

// With neither a core grid nor a sharded a.
MatmulProgramConfig simple_config(const Problem& problem, const CoreCoord& grid);
// With a core grid, or a sharded a that sharded_config has no rule for.
MatmulProgramConfig grid_config(const Problem& problem, const std::optional<UnaryWithParam>& activation);
MatmulProgramConfig sharded_config(const Problem& problem);

}  // namespace ttnn_cpu::matmul_op
