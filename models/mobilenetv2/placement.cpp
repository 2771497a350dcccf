// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/placement.hpp"

#include <algorithm>
#include <array>
#include <tt-metalium/work_split.hpp>

#include "zoo/error.hpp"

namespace zoo::mobilenetv2 {
namespace {

using ttnn::CoreCoord;
using ttnn::TensorMemoryLayout;
using ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig;

constexpr const char* kWhere = "mobilenetv2::placement_for";
constexpr std::int64_t kTile = 32;

// A depthwise convolution is a dense one with zeros on the card. One core can hold the weights of this many channels:
// 192 * 192 * 9 in bfloat8_b is 350 KB.
constexpr std::int64_t kMaxChannelsByHeight = 192;

// Of a tensor in bfloat16. A core holds up to four of a block: what comes in, its copy in other shards, the halo and the result.
constexpr std::int64_t kMaxInnerBytes = 160 << 10;
constexpr std::int64_t kMaxActBlockTiles = 128;  // 256 KB in bfloat16

std::int64_t tiles(std::int64_t size) { return (size + kTile - 1) / kTile; }

// Each core takes some columns of the logits and all images; the means go to all of them.
MatmulMultiCoreReuseMultiCast1DProgramConfig classifier_program(
    const Config& config, std::int64_t batch, const CoreCoord& grid) {
    const std::int64_t columns = tiles(config.num_classes);
    const auto cores = static_cast<std::int64_t>(grid.x * grid.y);
    const std::int64_t per_core = (columns + cores - 1) / cores;
    const std::int64_t used = (columns + per_core - 1) / per_core;
    const std::size_t x = std::min<std::size_t>(grid.x, static_cast<std::size_t>(used));
    const std::size_t y = (static_cast<std::size_t>(used) + x - 1) / x;
    const std::int64_t inner = tiles(config.last_width());
    MatmulMultiCoreReuseMultiCast1DProgramConfig program{};
    program.compute_with_storage_grid_size = CoreCoord(x, y);
    program.in0_block_w = static_cast<std::size_t>(inner % 4 == 0 ? 4 : 1);
    program.out_subblock_h = 1;
    program.out_subblock_w = 1;
    program.out_block_h = static_cast<std::size_t>(tiles(batch));
    program.out_block_w = static_cast<std::size_t>(per_core);
    program.per_core_M = static_cast<std::size_t>(tiles(batch));
    program.per_core_N = static_cast<std::size_t>(per_core);
    program.fuse_batch = true;
    program.mcast_in0 = true;
    return program;
}

ttnn::MemoryConfig mean_input(const Config& config, std::int64_t batch, const CoreCoord& grid) {
    if (batch == 1) {
        return ttnn::L1_MEMORY_CONFIG;  // The mean of one image is a reduction, which wants no shards.
    }
    const auto cores = static_cast<std::int64_t>(grid.x * grid.y);
    const std::int64_t columns = tiles(config.last_width());
    std::int64_t width = 1;
    while (columns % width != 0 || columns / width > cores) {
        ++width;
    }
    const std::int64_t rows = tiles(batch * config.last_side() * config.last_side());
    const std::array<std::uint32_t, 2> shard{
        static_cast<std::uint32_t>(rows * kTile), static_cast<std::uint32_t>(width * kTile)};
    const ttnn::CoreRangeSet used =
        tt::tt_metal::num_cores_to_corerangeset(static_cast<std::uint32_t>(columns / width), grid, /*row_wise=*/true);
    return ttnn::MemoryConfig(
        TensorMemoryLayout::WIDTH_SHARDED, ttnn::BufferType::L1, tt::tt_metal::ShardSpec(used, shard));
}

// Rows of a block of activations, where all rows of a core would take too much room: a row of the window of all channels for each.
std::uint32_t act_block_h(const BlockShape& shape, std::int64_t batch, const CoreCoord& grid) {
    const auto cores = static_cast<std::int64_t>(grid.x * grid.y);
    const std::int64_t rows = (tiles(batch * shape.out_side() * shape.out_side()) + cores - 1) / cores;
    const std::int64_t most = std::max<std::int64_t>(1, kMaxActBlockTiles / tiles(3 * shape.hidden));
    if (rows <= most) {
        return 0;
    }
    std::int64_t height = most;
    while (rows % height != 0) {
        --height;
    }
    return static_cast<std::uint32_t>(height * kTile);
}

// Of `values` that are spread over the device.
ttnn::DataType activation_dtype(std::int64_t values, const CoreCoord& grid) {
    const std::int64_t bytes_a_core = 2 * values / static_cast<std::int64_t>(grid.x * grid.y);
    return bytes_a_core <= kMaxInnerBytes ? ttnn::DataType::BFLOAT16 : ttnn::DataType::BFLOAT8_B;
}

}  // namespace

Placement placement_for(const Config& config, std::int64_t batch, const CoreCoord& grid) {
    validate(config);
    if (batch < 1) {
        fail(kWhere, "batch is ", batch, "; it must be positive");
    }
    Placement place;
    place.batch = batch;
    place.stem_dtype = activation_dtype(batch * config.stem_side() * config.stem_side() * config.stem_width(), grid);
    const auto layout = [](std::int64_t channels) {
        return channels <= kMaxChannelsByHeight ? TensorMemoryLayout::HEIGHT_SHARDED
                                                : TensorMemoryLayout::BLOCK_SHARDED;
    };
    for (const BlockShape& shape : config.blocks()) {
        const Placement::Conv conv{.shard_layout = layout(shape.hidden)};
        Placement::Conv depthwise = conv;
        // All channels times nine are one row of a block by height: two such blocks do not fit beside a large batch.
        depthwise.double_buffer = conv.shard_layout == TensorMemoryLayout::BLOCK_SHARDED;
        depthwise.act_block_h = depthwise.double_buffer ? 0 : act_block_h(shape, batch, grid);
        place.blocks.push_back(
            {.expand = conv,
             .depthwise = depthwise,
             .project = conv,
             .expanded_dtype = activation_dtype(batch * shape.side * shape.side * shape.hidden, grid),
             .filtered_dtype = activation_dtype(batch * shape.out_side() * shape.out_side() * shape.hidden, grid)});
    }
    place.last = {.shard_layout = layout(config.last_width())};
    place.pixels = mean_input(config, batch, grid);
    place.head = ttnn::L1_MEMORY_CONFIG;
    place.classifier = classifier_program(config, batch, grid);
    // HiFi2 would cut the last bit of bfloat16 activations, always downwards: features at 224 fall from 0.9966 to 0.9925.
    place.conv_kernel.math_fidelity = tt::tt_metal::MathFidelity::HiFi3;
    place.conv_kernel.math_approx_mode = false;
    place.conv_kernel.fp32_dest_acc_en = false;
    place.conv_kernel.packer_l1_acc = true;
    place.head_kernel = place.conv_kernel;
    return place;
}

}  // namespace zoo::mobilenetv2
