// SPDX-License-Identifier: Apache-2.0
#include <numeric>

#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/program_config_rules.hpp"

namespace ttnn_cpu::matmul_op {

using enum TensorMemoryLayout;

namespace {

// A sharded output must be where and how a is. Returns whether it is sharded.
bool check_output_like_a(const Problem& problem) {
    const MemoryConfig& a = problem.a.memory_config();
    const MemoryConfig& out = problem.params.output_mem_config;
    if (!out.is_sharded()) {
        return false;
    }
    TT_FATAL(
        a.buffer_type() == out.buffer_type(), "Input A and output buffer types must match, got input: {} vs output: {}",
        to_string(a.buffer_type()), to_string(out.buffer_type()));
    TT_FATAL(
        a.memory_layout() == out.memory_layout(),
        "Input A and output memory layouts must match, got input: {} vs output: {}", to_string(a.memory_layout()),
        to_string(out.memory_layout()));
    return true;
}

Mcast1DConfig rows_or_columns(const Problem& problem) {
    const Sizes& sizes = problem.sizes;
    const ShardSpec& shard = *problem.a.shard_spec();
    TT_FATAL(
        shard.orientation == ShardOrientation::ROW_MAJOR,
        "Input tensor A must have ROW_MAJOR shard orientation, got: {}", to_string(shard.orientation));
    const bool out_sharded = check_output_like_a(problem);
    const bool mcast_in0 = problem.a.memory_config().memory_layout() == WIDTH_SHARDED;
    const std::uint32_t per_core_m = mcast_in0 ? sizes.m_tiles_of(true) : shard.shape[0] / kTile;
    const std::uint32_t per_core_n = mcast_in0 ? div_up(sizes.n_tiles, shard.grid.num_cores()) : sizes.n_tiles;
    const std::uint32_t k = mcast_in0 ? std::gcd(shard.shape[1] / kTile, sizes.k_tiles) : sizes.k_tiles;
    Block block = largest_block(problem, per_core_m, per_core_n, k, false);
    if (out_sharded && block.w != per_core_n) {
        block.h = 1;
    }
    const Block subblock = subblock_high(block.h, block.w, false, out_sharded, problem.float32_dest);
    const CoreRange box = shard.grid.bounding_box();
    return {
        .compute_with_storage_grid_size = box.grid_size(),
        .in0_block_w = k,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .out_block_h = block.h,
        .out_block_w = block.w,
        .per_core_M = per_core_m,
        .per_core_N = per_core_n,
        .fuse_batch = true,
        .fused_activation = std::nullopt,
        .mcast_in0 = mcast_in0,
        .hop_cores = {},
        .allowed_worker_cores = CoreRangeSet(box)};
}

Mcast2DConfig in_blocks(const Problem& problem) {
    const Sizes& sizes = problem.sizes;
    const ShardSpec& shard = *problem.a.shard_spec();
    const bool transposed = shard.orientation == ShardOrientation::COL_MAJOR;
    const bool out_sharded = check_output_like_a(problem);
    const CoreCoord grid = shard.grid.bounding_box().grid_size();
    const auto cores_k = static_cast<std::uint32_t>(transposed ? grid.y : grid.x);
    const auto cores_m = static_cast<std::uint32_t>(transposed ? grid.x : grid.y);
    const std::uint32_t m = sizes.m_tiles_of(true);
    const std::uint32_t shard_m = shard.shape[0] / kTile;
    const std::uint32_t shard_k = shard.shape[1] / kTile;
    TT_FATAL(
        cores_m == m / shard_m || cores_m == div_up(m, shard_m),
        "Num cores along y ({}) must match provided grid size ({}) or divided up size ({})", cores_m, m / shard_m,
        div_up(m, shard_m));
    TT_FATAL(
        cores_k == sizes.k_tiles / shard_k || cores_k == div_up(sizes.k_tiles, shard_k),
        "Num cores along x ({}) must match provided grid size ({}) or divided up size ({})", cores_k,
        sizes.k_tiles / shard_k, div_up(sizes.k_tiles, shard_k));
    const std::uint32_t per_core_m = div_up(m, cores_m);
    const std::uint32_t per_core_n = div_up(sizes.n_tiles, cores_k);
    const std::uint32_t k = cores_k == sizes.k_tiles / shard_k ? std::gcd(shard_k, sizes.k_tiles) : 1;
    const Block block = largest_block(problem, per_core_m, per_core_n, k, false);
    const Block subblock = subblock_high(block.h, block.w, false, out_sharded, problem.float32_dest);
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
        .fused_activation = std::nullopt};
}

ReuseConfig whole_matrices(const Problem& problem) {
    const Sizes& sizes = problem.sizes;
    const MemoryConfig& a = problem.a.memory_config();
    const MemoryConfig& b = problem.b.memory_config();
    TT_FATAL(
        a.memory_layout() != WIDTH_SHARDED, "Input A memory layout must not be WIDTH_SHARDED, got: {}",
        to_string(a.memory_layout()));
    const bool out_sharded = check_output_like_a(problem);
    TT_FATAL(
        !(sizes.batch_a > 1 && sizes.batch_b == 1),
        "Batch broadcasting is not supported for the chosen program config");
    const ShardSpec& shard = *a.shard_spec();
    if (b.is_sharded()) {
        TT_FATAL(
            a.buffer_type() == b.buffer_type(), "Input A and B buffer types must match, got A: {} vs B: {}",
            to_string(a.buffer_type()), to_string(b.buffer_type()));
        TT_FATAL(
            a.memory_layout() == b.memory_layout(), "Input A and B memory layouts must match, got A: {} vs B: {}",
            to_string(a.memory_layout()), to_string(b.memory_layout()));
        TT_FATAL(shard.grid == b.shard_spec()->grid, "Input A and B shard grids must match");
        TT_FATAL(
            shard.orientation == b.shard_spec()->orientation, "Orientation mismatch a {} vs b {}.",
            to_string(shard.orientation), to_string(b.shard_spec()->orientation));
    }
    const std::uint32_t per_core_m = shard.shape[0] / kTile;
    const Block subblock = subblock_high(per_core_m, sizes.n_tiles, false, out_sharded, problem.float32_dest);
    return {
        .compute_with_storage_grid_size = shard.grid.bounding_box().grid_size(),
        .in0_block_w = shard.shape[1] / kTile,
        .out_subblock_h = subblock.h,
        .out_subblock_w = subblock.w,
        .per_core_M = per_core_m,
        .per_core_N = sizes.n_tiles};
}

}  // namespace

MatmulProgramConfig sharded_config(const Problem& problem) {
    if (problem.params.batched_b) {
        return whole_matrices(problem);
    }
    TT_FATAL(
        !problem.b.is_sharded(), "Input tensor B must have INTERLEAVED memory layout, got: {}",
        to_string(problem.b.memory_config().memory_layout()));
    const CoreCoord grid = problem.a.shard_spec()->grid.bounding_box().grid_size();
    switch (problem.a.memory_config().memory_layout()) {
        case WIDTH_SHARDED:
        case HEIGHT_SHARDED:
            return rows_or_columns(problem);
        case BLOCK_SHARDED:
            if (grid.x > 1 && grid.y > 1) {
                return in_blocks(problem);
            }
            break;
        default:
            break;
    }
    return grid_config(problem, std::nullopt);
}

}  // namespace ttnn_cpu::matmul_op
