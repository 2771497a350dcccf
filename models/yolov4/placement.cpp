// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/placement.hpp"

#include <algorithm>
#include <bit>

#include <tt-metalium/work_split.hpp>

#include "zoo/error.hpp"

namespace zoo::yolov4 {
namespace {

using tt::tt_metal::MathFidelity;
using ttnn::DataType;
using ttnn::TensorMemoryLayout;

constexpr std::int64_t kTile = 32;
constexpr std::int64_t kPictureChannels = 8;        // as rows of pixels are padded
constexpr std::int64_t kLargeMapBytes = 256 << 10;  // of a core, in BFLOAT16

std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) { return (a + b - 1) / b; }

// Parts of equal length for `tiles`, but for the last one.
struct Parts {
    std::uint32_t count;
    std::uint32_t length;  // in values
};

Parts parts(std::uint32_t tiles, std::size_t most) {
    const std::uint32_t length = divide_up(tiles, static_cast<std::uint32_t>(most));
    return {divide_up(tiles, length), length * static_cast<std::uint32_t>(kTile)};
}

// Rows of a block of a 3x3 convolution to `pixels` pixels. TTNN takes all rows of a core, which is right until the block fills its L1.
std::uint32_t act_block_h(std::int64_t pixels, std::int64_t in_channels, std::int64_t cores) {
    constexpr std::int64_t kFillingTiles = 400;
    constexpr std::int64_t kBlockTiles = 100;
    const std::int64_t rows = ((pixels + kTile - 1) / kTile + cores - 1) / cores;
    const std::int64_t columns = (9 * in_channels + kTile - 1) / kTile;
    if (rows * columns <= kFillingTiles) {
        return 0;
    }
    std::int64_t height = std::max<std::int64_t>(1, kBlockTiles / columns);
    while (rows % height != 0) {
        --height;
    }
    return static_cast<std::uint32_t>(height * kTile);
}

}  // namespace

const Placement::Stage& Placement::at(std::uint32_t stride) const {
    return stages.at(static_cast<std::size_t>(std::countr_zero(stride)));
}

ttnn::MemoryConfig Placement::shards(const Stage& stage, std::uint32_t pixels, std::uint32_t channels) const {
    using tt::tt_metal::CoreRange;
    using tt::tt_metal::CoreRangeSet;
    const std::uint32_t rows = divide_up(pixels, kTile);
    if (stage.shard_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        const Parts cut = parts(rows, grid.x * grid.y);
        return ttnn::MemoryConfig(
            stage.shard_layout, ttnn::BufferType::L1,
            tt::tt_metal::ShardSpec(
                tt::tt_metal::num_cores_to_corerangeset(cut.count, grid, /*row_wise=*/true), {cut.length, channels}));
    }
    const Parts down = parts(rows, grid.y);
    const Parts across = parts(divide_up(channels, kTile), grid.x);
    return ttnn::MemoryConfig(
        stage.shard_layout, ttnn::BufferType::L1,
        tt::tt_metal::ShardSpec(
            CoreRangeSet(CoreRange({0, 0}, {across.count - 1, down.count - 1})), {down.length, across.length}));
}

Placement placement_for(const Config& config, const ttnn::CoreCoord& grid) {
    validate(config);
    if (config.architecture == Architecture::Tiny && config.base_channels % kTile != 0) {
        fail(
            "yolov4::placement_for", "base_channels is ", config.base_channels, "; it must be a multiple of ", kTile,
            ", so that halves of channels are whole tiles");
    }
    Placement place;
    place.grid = grid;
    place.head = ttnn::MemoryConfig(TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1);
    // LoFi reads 4 fraction bits of the weights: over 110 convolutions scores correlate by 0.92 only, by 0.998 with HiFi2.
    place.conv_kernel = {.math_fidelity = MathFidelity::HiFi2, .math_approx_mode = false, .packer_l1_acc = true};
    const auto cores = static_cast<std::int64_t>(grid.x * grid.y);
    const bool tiny = config.architecture == Architecture::Tiny;
    for (std::size_t i = 0; i < place.stages.size(); ++i) {
        Placement::Stage& stage = place.stages[i];
        const std::int64_t stride = std::int64_t{1} << i;
        const std::int64_t pixels = config.height * config.width / (stride * stride);
        // By height alone half of the cores would have no tile; by blocks each column of cores needs one of each half of the channels.
        const std::int64_t channels = (config.base_channels << i) / (tiny && i > 0 ? 2 : 1);
        const bool blocks = pixels < cores / 2 * kTile && channels / 2 >= static_cast<std::int64_t>(grid.x) * kTile;
        stage.shard_layout = blocks ? TensorMemoryLayout::BLOCK_SHARDED : TensorMemoryLayout::HEIGHT_SHARDED;
        // A convolution has its input, its input's halo and its output in L1 at once, and its blocks beside them.
        const bool large = 2 * pixels * channels / cores > kLargeMapBytes;
        stage.dtype = large ? DataType::BFLOAT8_B : DataType::BFLOAT16;
        stage.act_block_h = act_block_h(pixels, i == 0 ? kPictureChannels : channels / 2, cores);
    }
    return place;
}

}  // namespace zoo::yolov4
