// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/placement.hpp"

#include <algorithm>

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

}  // namespace

Placement placement_for(const Config& config, std::int64_t batch, const CoreCoord& grid) {
    validate(config);
    if (batch < 1) {
        fail(kWhere, "batch is ", batch, "; it must be positive");
    }
    Placement place;
    place.batch = batch;
    const auto layout = [](std::int64_t channels) {
        return channels <= kMaxChannelsByHeight ? TensorMemoryLayout::HEIGHT_SHARDED
                                                : TensorMemoryLayout::BLOCK_SHARDED;
    };
    for (const BlockShape& shape : config.blocks()) {
        const Placement::Conv conv{.shard_layout = layout(shape.hidden)};
        place.blocks.push_back({.expand = conv, .depthwise = conv, .project = conv});
    }
    place.last = {.shard_layout = layout(config.last_width())};
    place.head = ttnn::L1_MEMORY_CONFIG;
    place.classifier = classifier_program(config, batch, grid);
    place.conv_kernel.math_fidelity = tt::tt_metal::MathFidelity::HiFi2;
    place.conv_kernel.math_approx_mode = false;
    place.conv_kernel.fp32_dest_acc_en = false;
    place.conv_kernel.packer_l1_acc = true;
    place.head_kernel = place.conv_kernel;
    return place;
}

}  // namespace zoo::mobilenetv2
