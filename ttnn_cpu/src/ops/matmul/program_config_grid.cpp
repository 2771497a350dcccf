// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/program_config_rules.hpp"

namespace ttnn_cpu::matmul_op {

using enum TensorMemoryLayout;

namespace {

Mcast1DConfig systolic_1d(
    const Problem& problem, const CoreCoord& grid, const std::optional<UnaryWithParam>& activation) {
    const Sizes& sizes = problem.sizes;
    TT_FATAL(
        sizes.batch_b == 1, "Second input cannot be currently batched when running matmul using 1d systolic array");
    check_tile_multiples(sizes);
    const std::uint32_t m = sizes.m_tiles_of(true);
    const auto cores = static_cast<std::uint32_t>(grid.x * grid.y);
    const TensorMemoryLayout layout = problem.a.memory_config().memory_layout();
    const bool tall = layout == HEIGHT_SHARDED || (layout != WIDTH_SHARDED && m > sizes.n_tiles);
    const std::uint32_t per_core_m = tall ? div_up(m, cores) : m;
    const std::uint32_t per_core_n = tall ? sizes.n_tiles : div_up(sizes.n_tiles, cores);
    std::uint32_t k = div_up(sizes.k_tiles, cores);
    while (sizes.k_tiles % k != 0) {
        --k;
    }
    const Block block = largest_block(problem, per_core_m, per_core_n, k, false);
    const Block subblock = subblock_wide(block.h, block.w, problem.float32_dest);
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = k,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .out_block_h = block.h,
        .out_block_w = block.w,
        .per_core_M = per_core_m,
        .per_core_N = per_core_n,
        .fuse_batch = true,
        .fused_activation = activation,
        .mcast_in0 = !tall,
        .hop_cores = {}};
}

ReuseConfig batched(const Problem& problem, const CoreCoord& grid) {
    const Sizes& sizes = problem.sizes;
    std::uint32_t m = sizes.m_tiles;
    std::uint32_t n = sizes.n_tiles;
    std::uint32_t k = 1;
    if (problem.a.is_sharded()) {
        TT_FATAL(
            problem.a.memory_config().memory_layout() != WIDTH_SHARDED,
            "MatmulMultiCoreReuseProgramConfig: Input A cannot be width sharded, got layout: {}",
            to_string(problem.a.memory_config().memory_layout()));
        m = problem.a.shard_spec()->shape[0] / kTile;
        n = sizes.b[-1] / kTile;
        k = problem.a.shard_spec()->shape[1] / kTile;
    } else if (problem.b.is_sharded()) {
        TT_FATAL(
            problem.b.memory_config().memory_layout() != WIDTH_SHARDED,
            "MatmulMultiCoreReuseProgramConfig: Input B cannot be width sharded, got layout: {}",
            to_string(problem.b.memory_config().memory_layout()));
        n = problem.b.shard_spec()->shape[1] / kTile;
    }
    const Block subblock = subblock_wide(m, n, problem.float32_dest);
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = k,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .per_core_M = m,
        .per_core_N = n};
}

}  // namespace

MatmulProgramConfig grid_config(const Problem& problem, const std::optional<UnaryWithParam>& activation) {
    const Sizes& sizes = problem.sizes;
    TT_FATAL(sizes.a[-1] == sizes.b[-2], "The k dimension does not match between tensors");
    check_tile_multiples(sizes);
    CoreCoord grid = problem.a.device()->compute_with_storage_grid_size();
    if (const auto& wanted = problem.params.core_grid; wanted && wanted->x <= grid.x && wanted->y <= grid.y) {
        grid = *wanted;
    }
    if (sizes.batch_b > 1) {
        TT_FATAL(!activation, "Cannot use activation with batched input b");
        if (!problem.a.is_sharded() && !problem.b.is_sharded() && !problem.fits(sizes.m_tiles, sizes.n_tiles, 1)) {
            return simple_config(problem, grid);
        }
        return batched(problem, grid);
    }
    const TensorMemoryLayout layout = problem.a.memory_config().memory_layout();
    const std::uint32_t m = sizes.m_tiles_of(true);
    const bool one_tile = sizes.k_tiles == 1 || sizes.m_tiles == 1 || sizes.n_tiles == 1;
    const bool narrow = is_narrow(m * kTile, sizes.n_tiles * kTile, false) || one_tile;
    if (layout != BLOCK_SHARDED && (narrow || problem.a.is_sharded())) {
        return systolic_1d(problem, grid, activation);
    }
    std::uint32_t per_core_m = div_up(m, static_cast<std::uint32_t>(grid.y));
    std::uint32_t per_core_n = div_up(sizes.n_tiles, static_cast<std::uint32_t>(grid.x));
    std::uint32_t k = 4;
    while (sizes.k_tiles % k != 0) {
        --k;
    }
    bool transposed = false;
    if (layout == BLOCK_SHARDED) {
        const ShardSpec& shard = *problem.a.shard_spec();
        per_core_m = shard.shape[0] / kTile;
        per_core_n = std::max(1U, sizes.n_tiles * shard.shape[1] / (sizes.k_tiles * kTile));
        k = std::gcd(shard.shape[1] / kTile, sizes.k_tiles);
        transposed = shard.orientation == ShardOrientation::COL_MAJOR;
    }
    const Block block = largest_block(problem, per_core_m, per_core_n, k, false);
    Block subblock = subblock_wide(block.h, block.w, problem.float32_dest);
    if (subblock.w != per_core_n) {
        subblock.h = 1;
    }
    return Mcast2DConfig{
        .compute_with_storage_grid_size = grid,
        .in0_block_w = k,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .out_block_h = block.h,
        .out_block_w = block.w,
        .per_core_M = per_core_m,
        .per_core_N = per_core_n,
        .transpose_mcast = transposed,
        .fused_activation = activation};
}

}  // namespace ttnn_cpu::matmul_op
