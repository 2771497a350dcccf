// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/placement.hpp"

#include <algorithm>
#include <tt-metalium/work_split.hpp>

#include "zoo/error.hpp"

namespace zoo::resnet {
namespace {

using ttnn::CoreCoord;
using ttnn::TensorMemoryLayout;
using ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

constexpr const char* kWhere = "resnet::placement_for";
constexpr std::int64_t kTile = 32;

// A row-major row of the first convolution's input is a multiple of 16 bytes.
constexpr std::int64_t kSmallImageChannels = 8;

std::int64_t tiles(std::int64_t size) { return (size + kTile - 1) / kTile; }

std::int64_t largest_divisor(std::int64_t number, std::int64_t limit) {
    std::int64_t divisor = std::min(number, limit);
    while (number % divisor != 0) {
        --divisor;
    }
    return divisor;
}

// With fewer rows than this, cores would be idle if only pixels were cut; with this many channels the weights of a 3x3
// convolution do not fit beside them on every core.
bool cut_by_pixels(const Config& config, std::size_t stage, std::int64_t row_tiles) {
    return config.hidden_sizes[stage] < 256 || (stage < 2 && row_tiles >= 48);
}

// Rows of a block of activations, where the rows of a core are too many to be one: 0, all of them, or the largest part
// of at most `limit` tiles.
std::uint32_t block_rows(std::int64_t row_tiles, const CoreCoord& grid, std::int64_t limit) {
    const auto cores = static_cast<std::int64_t>(grid.x * grid.y);
    const std::int64_t per_core = (row_tiles + cores - 1) / cores;
    return per_core <= limit ? 0 : static_cast<std::uint32_t>(largest_divisor(per_core, limit) * kTile);
}

// A core's blocks of activations, with all that a 7x7 or a 3x3 window reads for them, and of weights are both there
// twice; at a batch of 16 these many rows leave room for the tensors.
constexpr std::int64_t kStemBlock = 49;
constexpr std::int64_t kWindowBlock = 14;

Placement::Stage stage_placement(const Config& config, std::size_t stage, std::int64_t batch, const CoreCoord& grid) {
    const std::int64_t row_tiles = tiles(batch * config.stage_side(stage) * config.stage_side(stage));
    const ttnn::Conv2dConfig pointwise{
        .shard_layout = cut_by_pixels(config, stage, row_tiles) ? TensorMemoryLayout::HEIGHT_SHARDED
                                                                : TensorMemoryLayout::BLOCK_SHARDED};
    ttnn::Conv2dConfig window = pointwise;
    window.enable_act_double_buffer = true;
    window.enable_weights_double_buffer = true;
    if (pointwise.shard_layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        window.act_block_h_override = block_rows(row_tiles, grid, kWindowBlock);
    }
    return {.pointwise = pointwise, .window = window};
}

MatmulMultiCoreReuseMultiCast1DProgramConfig classifier(
    const Config& config, std::int64_t batch, const CoreCoord& grid) {
    const auto rows = static_cast<std::size_t>(tiles(batch));
    const std::int64_t inner = tiles(config.hidden_sizes.back());
    const std::int64_t columns = tiles(config.num_labels);
    const auto per_core = static_cast<std::size_t>(
        (columns + static_cast<std::int64_t>(grid.x * grid.y) - 1) / static_cast<std::int64_t>(grid.x * grid.y));
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = static_cast<std::size_t>(largest_divisor(inner, 2)),
        .out_subblock_h = 1,
        .out_subblock_w = 1,
        .out_block_h = rows,
        .out_block_w = per_core,
        .per_core_M = rows,
        .per_core_N = per_core,
        .fuse_batch = true,
        .fused_activation = std::nullopt,
        .mcast_in0 = true};
}

// All rows on every core, the channels cut.
ttnn::MemoryConfig width_sharded(std::int64_t rows, std::int64_t channels, const CoreCoord& grid) {
    const std::int64_t cores = largest_divisor(tiles(channels), static_cast<std::int64_t>(grid.x * grid.y));
    const std::array<std::uint32_t, 2> shard{
        static_cast<std::uint32_t>(tiles(rows) * kTile), static_cast<std::uint32_t>(tiles(channels) / cores * kTile)};
    return ttnn::MemoryConfig(
        TensorMemoryLayout::WIDTH_SHARDED, ttnn::BufferType::L1,
        tt::tt_metal::ShardSpec(
            tt::tt_metal::num_cores_to_corerangeset(static_cast<std::uint32_t>(cores), grid, true), shard));
}

}  // namespace

Placement placement_for(const Config& config, std::int64_t batch, const CoreCoord& grid) {
    validate(config);
    if (batch <= 0) {
        fail(kWhere, "batch is ", batch, "; it must be positive");
    }
    Placement place{.batch = batch, .input_channels = config.small_images ? kSmallImageChannels : 4};
    const std::int64_t stem_side = config.small_images ? config.image_size : config.image_size / 2;
    place.stem = {
        .activation = UnaryWithParam(UnaryOpType::RELU),
        .act_block_h_override = block_rows(tiles(batch * stem_side * stem_side), grid, kStemBlock),
        .shard_layout = TensorMemoryLayout::HEIGHT_SHARDED,
        .enable_act_double_buffer = true};
    if (!config.small_images) {
        place.stem.enable_kernel_stride_folding = true;
    }
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        place.stages[stage] = stage_placement(config, stage, batch, grid);
    }
    const std::int64_t last_side = config.stage_side(kStages - 1);
    place.last = width_sharded(batch * last_side * last_side, config.hidden_sizes.back(), grid);
    place.classifier = classifier(config, batch, grid);
    place.conv_kernel = {
        .math_fidelity = tt::tt_metal::MathFidelity::LoFi,
        .math_approx_mode = true,
        .fp32_dest_acc_en = false,
        .packer_l1_acc = true};
    place.head_kernel = {
        .math_fidelity = tt::tt_metal::MathFidelity::HiFi2,
        .math_approx_mode = true,
        .fp32_dest_acc_en = false,
        .packer_l1_acc = true};
    return place;
}

}  // namespace zoo::resnet
