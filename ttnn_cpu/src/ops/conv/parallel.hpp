// SPDX-License-Identifier: Apache-2.0
#pragma once

// How TTNN spreads the pixels and channels of images over cores.
#include <cstdint>
#include <optional>
#include <tuple>

#include <tt-metalium/core_coord.hpp>
#include <ttnn/tensor/tensor.hpp>
#include <ttnn/types.hpp>

namespace ttnn_cpu::sliding {

struct ParallelConfig {
    tt::tt_metal::CoreRangeSet grid;
    tt::tt_metal::TensorMemoryLayout scheme = tt::tt_metal::TensorMemoryLayout::HEIGHT_SHARDED;
    tt::tt_metal::ShardOrientation orientation = tt::tt_metal::ShardOrientation::ROW_MAJOR;

    bool operator==(const ParallelConfig&) const = default;

    std::uint32_t cores_nhw() const;
    std::uint32_t cores_channels() const;
};

ParallelConfig parallel_config_of(const tt::tt_metal::MemoryConfig& memory);

struct ParallelRequest {
    tt::tt_metal::TensorMemoryLayout scheme;
    std::uint32_t batch;
    std::uint32_t in_channels;
    std::uint32_t out_height;
    std::uint32_t out_width;
    std::uint32_t out_channels;
    std::uint32_t channels_alignment;
    tt::tt_metal::CoreCoord grid;
    tt::tt_metal::ShardOrientation block_orientation = tt::tt_metal::ShardOrientation::ROW_MAJOR;
    bool pad_channels = true;
    bool whole_tiles_high = true;
    bool whole_tiles_wide = true;
    std::uint32_t act_block_h_override = 0;
};

ParallelConfig choose_parallel_config(const ParallelRequest& request);

// The largest count from `start` down that divides num, or that leaves less than one part of padding.
std::uint32_t largest_divisor(std::uint32_t num, std::uint32_t start);
std::uint32_t largest_divisor_with_padding(std::uint32_t num, std::uint32_t start);

// Shards of a matrix of `rows` (padded to unit * cores) by `channels`.
tt::tt_metal::MemoryConfig sharded_memory(
    std::uint32_t rows, std::uint32_t channels, const ParallelConfig& config, std::uint32_t unit);

}  // namespace ttnn_cpu::sliding
