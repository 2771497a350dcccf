// SPDX-License-Identifier: Apache-2.0
// The checks of the 1D multicast config.
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/validate_rules.hpp"

namespace ttnn_cpu::matmul_op {

using enum TensorMemoryLayout;

namespace {

std::uint32_t tiles(std::size_t value) { return static_cast<std::uint32_t>(value); }

void check_row_major(const Checked& checked) {
    TT_FATAL(
        checked.a.shard_spec()->orientation == ShardOrientation::ROW_MAJOR,
        "{}: input A shard orientation must be ROW_MAJOR, got: {}", checked.name,
        to_string(checked.a.shard_spec()->orientation));
}

void check_shard_height(const Checked& checked, std::size_t per_core_m) {
    const std::uint32_t height = checked.a.shard_spec()->shape[0];
    TT_FATAL(
        per_core_m == height / kTile, "{}: per_core_M ({}) must equal shard_shape[0] ({}) / in0_tile height ({})",
        checked.name, per_core_m, height, kTile);
}

// Blocks on one row or one column of cores.
bool blocks_on_line(const MemoryConfig& memory, bool row) {
    if (memory.memory_layout() != BLOCK_SHARDED || !memory.shard_spec()) {
        return false;
    }
    const CoreCoord grid = memory.shard_spec()->grid.bounding_box().grid_size();
    return row ? grid.y == 1 : grid.x == 1;
}

void check_gather(const Checked& checked, const Mcast1DConfig& config) {
    const MemoryConfig& b = checked.b.memory_config();
    TT_FATAL(!checked.params.transpose_a, "{}: transpose_a is not supported with gather_in0", checked.name);
    TT_FATAL(!checked.params.transpose_b, "{}: transpose_b is not supported with gather_in0", checked.name);
    TT_FATAL(checked.a.is_sharded(), "{}: gather_in0 requires input A to be sharded", checked.name);
    TT_FATAL(
        config.num_global_cb_receivers == 1, "{}: Num global CB receivers must be 1 when global CB is not provided.",
        checked.name);
    TT_FATAL(
        checked.layout_a() == WIDTH_SHARDED, "{}: input A must be WIDTH_SHARDED for gather_in0, got: {}", checked.name,
        to_string(checked.layout_a()));
    TT_FATAL(
        b.memory_layout() == WIDTH_SHARDED || (!b.is_sharded() && b.is_dram()),
        "{}: Input tensor B must be width sharded, DRAM interleaved, or a DRAM weight fed via a global circular buffer "
        "when "
        "using gather_in0.",
        checked.name);
    const CoreRangeSet& grid = checked.a.shard_spec()->grid;
    TT_FATAL(
        !b.is_sharded() || !b.is_l1() || grid == b.shard_spec()->grid,
        "{}: input A and B must be sharded on the same cores for gather_in0, got A: {} vs B: {}", checked.name,
        to_string(grid), b.is_sharded() ? to_string(b.shard_spec()->grid) : "none");
    TT_FATAL(checked.out().is_sharded(), "{}: Output tensor must be sharded when using gather_in0.", checked.name);
    TT_FATAL(
        checked.out().shard_spec().has_value(), "{}: Output shard spec must be provided when using gather_in0.",
        checked.name);
    TT_FATAL(
        b.is_sharded() || grid == checked.out().shard_spec()->grid,
        "{}: Input tensor A and output tensor must be sharded on the same cores when using gather_in0 and in1 is "
        "DRAM_INTERLEAVED.",
        checked.name);
    TT_FATAL(!checked.bias, "{}: Bias is not supported when using gather_in0.", checked.name);
    check_output_grid(checked, checked.a.device()->compute_with_storage_grid_size());
}

void check_distribution(const Checked& checked, const Mcast1DConfig& config) {
    TT_FATAL(
        config.hop_cores.empty(), "{}: Hop cores are not supported for any mode besides gather_in0.", checked.name);
    const std::uint32_t m = checked.sizes.m_tiles_of(config.fuse_batch);
    const std::uint32_t blocks_y = div_up(m, tiles(config.per_core_M));
    const std::uint32_t blocks = blocks_y * div_up(checked.sizes.n_tiles, tiles(config.per_core_N));
    const CoreCoord& grid = config.compute_with_storage_grid_size;
    TT_FATAL(
        blocks <= grid.x * grid.y, "{}: Number of blocks exceeds number of cores: {} blocks > {} cores", checked.name,
        blocks, grid.x * grid.y);
    TT_FATAL(
        !config.mcast_in0 || blocks_y == 1,
        "{}: mcast_in0 requires M ({}) to fit within a single per_core_M block ({}), got num_blocks_y={}", checked.name,
        m, config.per_core_M, blocks_y);
    check_output_grid(checked, grid);
    check_in_device_grid(checked.a);
    check_in_device_grid(checked.b);
}

// Cores share the columns of the output.
void check_columns(const Checked& checked, const Mcast1DConfig& config) {
    const std::uint32_t m = checked.sizes.m_tiles_of(config.fuse_batch);
    if (checked.a.is_sharded()) {
        TT_FATAL(config.fuse_batch, "{}: fuse_batch must be enabled when input A is sharded", checked.name);
        TT_FATAL(
            checked.layout_a() == WIDTH_SHARDED,
            "{}: input A must be WIDTH_SHARDED when mcast_in0 or gather_in0 is set, got: {}", checked.name,
            to_string(checked.layout_a()));
        if (checked.out().is_sharded()) {
            check_output_like_a(checked);
        }
        check_row_major(checked);
        TT_FATAL(m == config.per_core_M, "{}: M ({}) must equal per_core_M ({})", checked.name, m, config.per_core_M);
        check_shard_height(checked, config.per_core_M);
        const std::uint32_t width = checked.a.shard_spec()->shape[1];
        TT_FATAL(
            config.gather_in0 || width / kTile % config.in0_block_w == 0,
            "{}: shard_shape[1] ({}) / in0_tile width ({}) must be divisible by in0_block_w ({})", checked.name, width,
            kTile, config.in0_block_w);
    }
    if (checked.out().is_sharded()) {
        TT_FATAL(
            checked.out().memory_layout() == WIDTH_SHARDED || blocks_on_line(checked.out(), true),
            "{}: output memory layout must be WIDTH_SHARDED or BLOCK_SHARDED on a 1-row grid, got: {}", checked.name,
            to_string(checked.out().memory_layout()));
        TT_FATAL(m == config.per_core_M, "{}: M ({}) must equal per_core_M ({})", checked.name, m, config.per_core_M);
        check_whole_rows(
            checked, config.out_subblock_w, config.out_subblock_h, config.out_block_w, config.out_block_h,
            config.per_core_N);
    }
    if (checked.b.is_sharded() && checked.b.memory_config().is_l1()) {
        TT_FATAL(
            checked.layout_b() == WIDTH_SHARDED, "{}: input B in L1 must be WIDTH_SHARDED, got: {}", checked.name,
            to_string(checked.layout_b()));
        const std::uint32_t width = checked.b.shard_spec()->shape[1];
        TT_FATAL(
            config.per_core_N == width / kTile, "{}: input B shard width in tiles ({}) must equal per_core_N ({})",
            checked.name, width / kTile, config.per_core_N);
        if (checked.bias && checked.bias->is_sharded()) {
            TT_FATAL(
                width == checked.bias->shard_spec()->shape[1],
                "{}: bias shard width ({}) must match input B shard width ({})", checked.name,
                checked.bias->shard_spec()->shape[1], width);
        }
    }
}

// Cores share the rows of the output.
void check_rows(const Checked& checked, const Mcast1DConfig& config) {
    if (checked.a.is_sharded()) {
        TT_FATAL(config.fuse_batch, "{}: fuse_batch must be enabled when input A is sharded", checked.name);
        TT_FATAL(
            checked.layout_a() == HEIGHT_SHARDED, "{}: input A must be HEIGHT_SHARDED, got: {}", checked.name,
            to_string(checked.layout_a()));
        if (checked.out().is_sharded()) {
            check_output_like_a(checked);
        }
        check_row_major(checked);
        const std::uint32_t blocks = div_up(checked.sizes.m_tiles_of(config.fuse_batch), tiles(config.per_core_M));
        const std::uint32_t cores = checked.a.shard_spec()->grid.num_cores();
        TT_FATAL(
            blocks <= cores,
            "{}: number of M blocks ceil(M/per_core_M)={} must not exceed input A shard grid cores ({})", checked.name,
            blocks, cores);
        check_shard_height(checked, config.per_core_M);
        const std::uint32_t width = checked.a.shard_spec()->shape[1];
        TT_FATAL(
            checked.sizes.k_tiles == width / kTile, "{}: K ({}) must equal shard_shape[1] ({}) / in0_tile width ({})",
            checked.name, checked.sizes.k_tiles, width, kTile);
    }
    if (checked.out().is_sharded()) {
        TT_FATAL(
            checked.out().memory_layout() == HEIGHT_SHARDED || blocks_on_line(checked.out(), false),
            "{}: output memory layout must be HEIGHT_SHARDED or BLOCK_SHARDED on a 1-column grid, got: {}",
            checked.name, to_string(checked.out().memory_layout()));
        TT_FATAL(
            checked.sizes.n_tiles == config.per_core_N, "{}: N ({}) must equal per_core_N ({})", checked.name,
            checked.sizes.n_tiles, config.per_core_N);
        check_whole_rows(
            checked, config.out_subblock_w, config.out_subblock_h, config.out_block_w, config.out_block_h,
            config.per_core_N);
    }
    TT_FATAL(
        !checked.b.is_sharded(), "{}: input B must be INTERLEAVED, got: {}", checked.name,
        to_string(checked.layout_b()));
}

}  // namespace

void check_config(const Checked& checked, const Mcast1DConfig& config) {
    if (config.gather_in0) {
        check_gather(checked, config);
    } else {
        check_distribution(checked, config);
    }
    check_fused_batch(checked, config.fuse_batch);
    TT_FATAL(
        !(config.mcast_in0 && config.gather_in0),
        "{}: Matmul1D does not support mcast_in0 and gather_in0 at the same time.", checked.name);
    TT_FATAL(
        config.gather_in0 || !config.stream_in1,
        "{}: stream_in1 is the gather_in0 ring-rotation mode and requires gather_in0=true", checked.name);
    if (config.mcast_in0 || config.gather_in0) {
        check_columns(checked, config);
    } else {
        check_rows(checked, config);
    }
}

}  // namespace ttnn_cpu::matmul_op
