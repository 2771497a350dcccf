// SPDX-License-Identifier: Apache-2.0
// The checks of the 2D multicast config.
#include <utility>

#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/matmul/validate_rules.hpp"

namespace ttnn_cpu::matmul_op {

using enum TensorMemoryLayout;

namespace {

std::uint32_t tiles(std::size_t value) { return static_cast<std::uint32_t>(value); }

void check_sharded_a(const Checked& checked, const Mcast2DConfig& config) {
    TT_FATAL(config.fuse_batch, "{}: Batch fusion is required when input A is sharded", checked.name);
    const ShardSpec& shard = *checked.a.shard_spec();
    const std::uint32_t shard_k = shard.shape[1] / kTile;
    TT_FATAL(
        checked.layout_a() == BLOCK_SHARDED || checked.layout_a() == HEIGHT_SHARDED,
        "{}: Unsupported memory layout {}.", checked.name, to_string(checked.layout_a()));
    if (checked.layout_a() == BLOCK_SHARDED) {
        const ShardOrientation wanted =
            config.transpose_mcast ? ShardOrientation::COL_MAJOR : ShardOrientation::ROW_MAJOR;
        TT_FATAL(
            shard.orientation == wanted, "{}: Input tensor A must have {} shard orientation for {} MCAST, got: {}",
            checked.name, to_string(wanted), config.transpose_mcast ? "transpose" : "non-transpose",
            to_string(shard.orientation));
        if (checked.out().is_sharded()) {
            check_output_like_a(checked);
        }
    } else {
        TT_FATAL(!config.transpose_mcast, "{}: Transpose MCAST not supported with HEIGHT_SHARDED layout", checked.name);
        TT_FATAL(
            checked.sizes.k_tiles == config.in0_block_w, "{}: K ({}) must equal in0_block_w ({})", checked.name,
            checked.sizes.k_tiles, config.in0_block_w);
        TT_FATAL(
            config.in0_block_w == shard_k, "{}: in0_block_w ({}) must equal shard_shape[1] / in0_tile.get_width() ({})",
            checked.name, config.in0_block_w, shard_k);
        const CoreRange box = shard.grid.bounding_box();
        TT_FATAL(
            box.start_coord.x == box.end_coord.x,
            "{}: HEIGHT_SHARDED input A must have a single-column shard grid (got x={} to x={}); use "
            "MatmulMultiCoreReuseProgramConfig for multi-column HEIGHT_SHARDED inputs",
            checked.name, box.start_coord.x, box.end_coord.x);
    }
    TT_FATAL(
        config.per_core_M == shard.shape[0] / kTile,
        "{}: per_core_M ({}) must equal shard_shape[0] / in0_tile.get_height() ({})", checked.name, config.per_core_M,
        shard.shape[0] / kTile);
    TT_FATAL(
        shard_k % config.in0_block_w == 0,
        "{}: shard_shape[1] / in0_tile.get_width() ({}) must be divisible by in0_block_w ({})", checked.name, shard_k,
        config.in0_block_w);
}

void check_sharded_b(const Checked& checked, const Mcast2DConfig& config) {
    TT_FATAL(!config.transpose_mcast, "{}: Transpose MCAST not supported when input B is sharded", checked.name);
    const MemoryConfig& b = checked.b.memory_config();
    const ShardSpec& shard = *b.shard_spec();
    const Sizes& sizes = checked.sizes;
    TT_FATAL(
        b.memory_layout() == WIDTH_SHARDED || b.memory_layout() == HEIGHT_SHARDED,
        "{}: Input B memory layout must be WIDTH_SHARDED, HEIGHT_SHARDED, or DRAM ND_SHARDED, got: {}", checked.name,
        to_string(b.memory_layout()));
    if (b.memory_layout() == HEIGHT_SHARDED) {
        TT_FATAL(
            b.is_dram(), "{}: HEIGHT_SHARDED input B is only supported in DRAM, got: {}", checked.name,
            to_string(b.buffer_type()));
        TT_FATAL(
            !config.fuse_batch, "{}: HEIGHT_SHARDED input B requires fuse_batch=false for batched matmul",
            checked.name);
        TT_FATAL(
            shard.shape[1] / kTile == sizes.n_tiles,
            "{}: HEIGHT_SHARDED input B shard width ({} tiles) must equal N ({} tiles)", checked.name,
            shard.shape[1] / kTile, sizes.n_tiles);
        TT_FATAL(
            shard.shape[0] / kTile % sizes.k_tiles == 0,
            "{}: HEIGHT_SHARDED input B shard height ({} tiles) must be divisible by K ({} tiles) so each bank holds "
            "complete "
            "[K, N] matrices",
            checked.name, shard.shape[0] / kTile, sizes.k_tiles);
    }
    if (!b.is_dram()) {
        TT_FATAL(
            !checked.a.is_sharded() || checked.layout_a() == HEIGHT_SHARDED,
            "{}: Error - non-DRAM width sharded input B requires input A to be interleaved or height sharded, rather "
            "than {}",
            checked.name, to_string(checked.layout_a()));
        TT_FATAL(
            config.per_core_N == shard.shape[1] / kTile,
            "{}: per_core_N ({}) must equal input tensor B shard shape[1] / in1_tile.get_width() ({})", checked.name,
            config.per_core_N, shard.shape[1] / kTile);
    }
    if (b.memory_layout() == WIDTH_SHARDED) {
        const CoreRange box = shard.grid.bounding_box();
        TT_FATAL(
            box.start_coord.y == box.end_coord.y,
            "{}: Width-sharded input tensor B grid bounding box must have equal start and end y coordinates, got "
            "start: {} vs "
            "end: {}",
            checked.name, box.start_coord.y, box.end_coord.y);
    }
}

}  // namespace

void check_config(const Checked& checked, const Mcast2DConfig& config) {
    std::uint32_t blocks_y = div_up(checked.sizes.m_tiles_of(config.fuse_batch), tiles(config.per_core_M));
    std::uint32_t blocks_x = div_up(checked.sizes.n_tiles, tiles(config.per_core_N));
    if (config.transpose_mcast) {
        std::swap(blocks_x, blocks_y);
    }
    const CoreCoord& grid = config.compute_with_storage_grid_size;
    TT_FATAL(
        blocks_x <= grid.x,
        "{}: Num output blocks along x ({}) must be smaller than or equal to the number of columns in compute grid "
        "({})!",
        checked.name, blocks_x, grid.x);
    TT_FATAL(
        blocks_y <= grid.y,
        "{}: Num output blocks along y ({}) must be smaller than or equal to the number of rows in compute grid ({})!",
        checked.name, blocks_y, grid.y);
    check_output_grid(checked, grid);
    check_fused_batch(checked, config.fuse_batch);
    check_in_device_grid(checked.a);
    check_in_device_grid(checked.b);
    if (checked.a.is_sharded()) {
        check_sharded_a(checked, config);
    }
    if (checked.b.is_sharded()) {
        check_sharded_b(checked, config);
    }
    if (checked.out().is_sharded()) {
        TT_FATAL(
            checked.out().memory_layout() == BLOCK_SHARDED, "{}: Output memory layout must be BLOCK_SHARDED, got: {}",
            checked.name, to_string(checked.out().memory_layout()));
        check_whole_rows(
            checked, config.out_subblock_w, config.out_subblock_h, config.out_block_w, config.out_block_h,
            config.per_core_N);
    }
}

}  // namespace ttnn_cpu::matmul_op
