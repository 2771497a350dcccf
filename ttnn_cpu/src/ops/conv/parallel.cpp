// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/parallel.hpp"

#include <tt-metalium/work_split.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace ttnn_cpu::sliding {

using tt::tt_metal::BufferType;
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorMemoryLayout;

namespace {

constexpr std::uint32_t kTile = 32;

// Steps of `start` cores that take whole blocks of `block` units of num.
std::uint32_t divisor_with_blocks(std::uint32_t num, std::uint32_t start, std::uint32_t block) {
    std::uint32_t cores = start;
    for (; cores > 1; --cores) {
        const auto padded = static_cast<std::uint32_t>(round_up(num, std::size_t{cores} * block));
        if (padded - num < padded / cores) {
            break;
        }
    }
    return cores;
}

std::uint32_t common_divisor(std::uint32_t a, std::uint32_t b, std::uint32_t start) {
    while (a % start != 0 || b % start != 0) {
        --start;
    }
    return start;
}

}  // namespace

std::uint32_t ParallelConfig::cores_nhw() const {
    const CoreCoord size = grid.bounding_box().grid_size();
    switch (scheme) {
        case TensorMemoryLayout::WIDTH_SHARDED:
            return 1;
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return static_cast<std::uint32_t>(grid.num_cores());
        default:
            return static_cast<std::uint32_t>(orientation == ShardOrientation::COL_MAJOR ? size.x : size.y);
    }
}

std::uint32_t ParallelConfig::cores_channels() const {
    const CoreCoord size = grid.bounding_box().grid_size();
    switch (scheme) {
        case TensorMemoryLayout::WIDTH_SHARDED:
            return static_cast<std::uint32_t>(grid.num_cores());
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return 1;
        default:
            return static_cast<std::uint32_t>(orientation == ShardOrientation::COL_MAJOR ? size.y : size.x);
    }
}

ParallelConfig parallel_config_of(const MemoryConfig& memory) {
    const ShardSpec& shard = memory.shard_spec().value();
    return {shard.grid, memory.memory_layout(), shard.orientation};
}

std::uint32_t largest_divisor(std::uint32_t num, std::uint32_t start) {
    while (num % start != 0) {
        --start;
    }
    return start;
}

std::uint32_t largest_divisor_with_padding(std::uint32_t num, std::uint32_t start) {
    for (;; --start) {
        const auto padded = static_cast<std::uint32_t>(round_up(num, start));
        if (padded - num < padded / start) {
            return start;
        }
    }
}

ParallelConfig choose_parallel_config(const ParallelRequest& request) {
    const std::uint32_t tile_h = request.whole_tiles_high ? kTile : 1;
    const std::uint32_t tile_w = request.whole_tiles_wide ? kTile : kTile / 2;
    const auto rows = static_cast<std::uint32_t>(
        divide_up(std::size_t{request.batch} * request.out_height * request.out_width, tile_h));
    const auto out_tiles = static_cast<std::uint32_t>(divide_up(request.out_channels, tile_w));
    const std::uint32_t block = request.act_block_h_override == 0 ? 1 : request.act_block_h_override / kTile;
    const auto all_cores = static_cast<std::uint32_t>(request.grid.x * request.grid.y);
    switch (request.scheme) {
        case TensorMemoryLayout::HEIGHT_SHARDED: {
            const std::uint32_t cores = divisor_with_blocks(rows, all_cores, block);
            return {tt::tt_metal::num_cores_to_corerangeset(cores, request.grid, true), request.scheme};
        }
        case TensorMemoryLayout::WIDTH_SHARDED: {
            const auto tiles = static_cast<std::uint32_t>(divide_up(request.in_channels, tile_w));
            const std::uint32_t cores = request.pad_channels ? largest_divisor_with_padding(tiles, all_cores)
                                                             : largest_divisor(tiles, all_cores);
            return {tt::tt_metal::num_cores_to_corerangeset(cores, request.grid, true), request.scheme};
        }
        case TensorMemoryLayout::BLOCK_SHARDED: {
            const bool by_columns = request.block_orientation == ShardOrientation::COL_MAJOR;
            const auto along_rows = static_cast<std::uint32_t>(by_columns ? request.grid.x : request.grid.y);
            const auto along_channels = static_cast<std::uint32_t>(by_columns ? request.grid.y : request.grid.x);
            const auto channel_blocks =
                static_cast<std::uint32_t>(divide_up(request.in_channels, request.channels_alignment));
            const std::uint32_t nhw = divisor_with_blocks(rows, along_rows, block);
            const std::uint32_t channels = request.pad_channels
                                               ? largest_divisor_with_padding(channel_blocks, along_channels)
                                               : common_divisor(out_tiles, channel_blocks, along_channels);
            const CoreCoord end = by_columns ? CoreCoord(nhw - 1, channels - 1) : CoreCoord(channels - 1, nhw - 1);
            return {CoreRangeSet(CoreRange({0, 0}, end)), request.scheme, request.block_orientation};
        }
        default:
            TT_THROW("Conv2d supports Height, Block or Width Sharded Layouts but got {}", to_string(request.scheme));
    }
}

MemoryConfig sharded_memory(
    std::uint32_t rows, std::uint32_t channels, const ParallelConfig& config, std::uint32_t unit) {
    const std::uint32_t down = config.cores_nhw();
    const std::uint32_t across = config.cores_channels();
    if (config.scheme != TensorMemoryLayout::WIDTH_SHARDED) {
        rows = static_cast<std::uint32_t>(round_up(rows, std::size_t{down} * unit));
    }
    TT_FATAL(channels % across == 0, "Channels: {}, num core channels: {}", channels, across);
    return MemoryConfig(
        config.scheme, BufferType::L1, ShardSpec(config.grid, {rows / down, channels / across}, config.orientation));
}

}  // namespace ttnn_cpu::sliding
