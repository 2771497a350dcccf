// SPDX-License-Identifier: Apache-2.0
#include "core/fatal.hpp"
#include "ops/matmul/program_config_rules.hpp"

namespace ttnn_cpu::matmul_op {

using enum TensorMemoryLayout;

namespace {

// For interleaved operands without a grid. shard: an output in blocks on one row or column of cores.
Mcast1DConfig simple_1d(const Problem& problem, bool mcast_in0, const std::optional<ShardSpec>& shard) {
    const Sizes& sizes = problem.sizes;
    CoreCoord grid = problem.a.device()->compute_with_storage_grid_size();
    const bool fuse_batch = shard && sizes.batch_b == 1;
    const std::uint32_t m = sizes.m_tiles_of(fuse_batch);
    std::uint32_t per_core_m = 0;
    std::uint32_t per_core_n = 0;
    if (shard) {
        TT_FATAL(
            shard->shape[0] % kTile == 0,
            "Shard height {} must be divisible by tile height {} for BLOCK_SHARDED on 1D grid", shard->shape[0], kTile);
        TT_FATAL(
            shard->shape[1] % kTile == 0,
            "Shard width {} must be divisible by tile width {} for BLOCK_SHARDED on 1D grid", shard->shape[1], kTile);
        per_core_m = shard->shape[0] / kTile;
        per_core_n = shard->shape[1] / kTile;
        const CoreRange box = shard->grid.bounding_box();
        TT_FATAL(
            box.size() == shard->grid.num_cores(),
            "BLOCK_SHARDED on 1D grid requires a contiguous core grid without gaps. Bounding box has {} cores but grid "
            "has {} "
            "cores.",
            box.size(), shard->grid.num_cores());
        grid = box.grid_size();
    } else {
        const auto cores = static_cast<std::uint32_t>(grid.x * grid.y);
        // In elements first, then in tiles, as TTNN does.
        per_core_m = mcast_in0 ? m : div_up(div_up(m * kTile, cores), kTile);
        per_core_n = mcast_in0 ? div_up(div_up(sizes.n_tiles * kTile, cores), kTile) : sizes.n_tiles;
    }
    const std::uint32_t k = sizes.k_tiles % 2 == 0 ? 2 : 1;
    const Block block = largest_block(problem, per_core_m, per_core_n, k, false);
    const Block subblock = subblock_high(block.h, block.w, false, false, problem.float32_dest);
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = k,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .out_block_h = block.h,
        .out_block_w = block.w,
        .per_core_M = per_core_m,
        .per_core_N = per_core_n,
        .fuse_batch = fuse_batch,
        .fused_activation = std::nullopt,
        .mcast_in0 = mcast_in0,
        .hop_cores = {}};
}

Mcast2DConfig simple_2d(
    const Problem& problem, std::uint32_t per_core, std::uint32_t k, bool all_dram, const CoreCoord& grid) {
    const Sizes& sizes = problem.sizes;
    const auto columns = static_cast<std::uint32_t>(grid.x);
    const auto lines = static_cast<std::uint32_t>(grid.y);
    const bool transposed = problem.a.memory_config().memory_layout() == BLOCK_SHARDED &&
                            problem.a.shard_spec()->orientation == ShardOrientation::COL_MAJOR;
    std::uint32_t per_core_m = per_core;
    std::uint32_t per_core_n = per_core;
    Block block{per_core, per_core};
    Block subblock{per_core == 2 ? 4U : 1U, 2};
    if (all_dram) {
        k = sizes.k_tiles % columns == 0 ? sizes.k_tiles / (transposed ? lines : columns) : 1;
        per_core_m = div_up(sizes.m_tiles, transposed ? columns : lines);
        per_core_n = div_up(sizes.n_tiles, transposed ? lines : columns);
        block = largest_block(problem, per_core_m, per_core_n, k, true);
        k = block.k;
        subblock = subblock_high(block.h, block.w, false, false, problem.float32_dest);
    }
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = k,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .out_block_h = block.h,
        .out_block_w = block.w,
        .per_core_M = per_core_m,
        .per_core_N = per_core_n,
        .transpose_mcast = transposed,
        .fused_activation = std::nullopt,
        .fuse_batch = false};
}

}  // namespace

MatmulProgramConfig simple_config(const Problem& problem, const CoreCoord& grid) {
    const Sizes& sizes = problem.sizes;
    const MemoryConfig& out = problem.params.output_mem_config;
    const bool all_interleaved = !problem.a.is_sharded() && !problem.b.is_sharded() && !out.is_sharded();
    const bool all_dram = problem.a.memory_config().is_dram() && problem.b.memory_config().is_dram() && out.is_dram();
    const bool all_dram_interleaved = all_dram && all_interleaved;
    const std::uint32_t height = sizes.a_padded[-2];
    const std::uint32_t width = sizes.b_padded[-1];
    const bool narrow = all_interleaved && is_narrow(height, width, all_dram);
    const bool wide = narrow && width > height;
    const bool tall = narrow && !wide;

    std::uint32_t k = 2;
    std::uint32_t per_core = 16;
    while (per_core > 1 && !problem.fits(per_core, per_core, k)) {
        per_core /= 2;
    }
    const std::uint32_t blocks_y = div_up(sizes.m_tiles, per_core);
    const std::uint32_t blocks_x = div_up(sizes.n_tiles, per_core);
    if ((out.is_sharded() || blocks_y > 1 || blocks_x > 1) && sizes.k_tiles % k != 0) {
        k = 1;
    }
    if (!all_dram_interleaved && !(blocks_x * blocks_y <= grid.x * grid.y && sizes.k_tiles % k == 0)) {
        return MultiCoreConfig{};
    }
    // More than one block, and no more than the grid holds.
    const bool on_grid = !(blocks_x == 1 && blocks_y == 1) && blocks_y <= grid.y && blocks_x <= grid.x;
    bool one_column = false;
    bool one_row = false;
    if (out.memory_layout() == BLOCK_SHARDED && out.shard_spec()) {
        const CoreCoord size = out.shard_spec()->grid.bounding_box().grid_size();
        one_column = size.x == 1 && size.y > 1;
        one_row = size.y == 1 && size.x > 1;
        TT_FATAL(
            !(one_column || one_row) || sizes.batch_b == 1,
            "BLOCK_SHARDED output on a 1D grid (single row or column of cores) is not supported when both input "
            "tensors are "
            "batched. Either use HEIGHT_SHARDED/WIDTH_SHARDED explicitly, use a 2D core grid for BLOCK_SHARDED, or "
            "ensure the "
            "second input tensor (B) has batch size 1. See GitHub issue #32306 for details.");
    }
    const auto shard_if = [&](bool use) { return use ? out.shard_spec() : std::optional<ShardSpec>(); };
    // Then in0 stays in L1 for all batches of b.
    const bool reuse_in0 = all_interleaved && sizes.batch_a == 1 && sizes.batch_b > 1;
    const bool one_row_of_blocks = on_grid && blocks_y == 1 && !all_dram_interleaved;
    const bool one_column_of_blocks = on_grid && blocks_x == 1 && !all_dram_interleaved;
    if ((!reuse_in0 && (wide || one_row_of_blocks)) ||
        (!on_grid && (out.memory_layout() == WIDTH_SHARDED || one_row))) {
        return simple_1d(problem, true, shard_if(one_row));
    }
    if (tall || reuse_in0 || one_column_of_blocks ||
        (!on_grid && (out.memory_layout() == HEIGHT_SHARDED || one_column))) {
        return simple_1d(problem, false, shard_if(one_column));
    }
    if (on_grid || all_dram_interleaved || (out.memory_layout() == BLOCK_SHARDED && !one_column && !one_row)) {
        return simple_2d(problem, per_core, k, all_dram_interleaved, grid);
    }
    return MultiCoreConfig{};
}

}  // namespace ttnn_cpu::matmul_op
