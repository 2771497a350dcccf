// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/blocking.hpp"

#include "core/data_type.hpp"
#include "core/fatal.hpp"

namespace ttnn_cpu::conv_op {

using sliding::largest_divisor;
using sliding::largest_divisor_with_padding;
using tt::tt_metal::BufferType;
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::ShardOrientation;

namespace {

std::uint32_t up(std::uint32_t value, std::uint32_t multiple) {
    return static_cast<std::uint32_t>(round_up(value, multiple));
}

// The most tiles of the destination register that fill a block evenly; a block must be one subblock wide, or its
// subblocks one tile high.
void choose_subblock(ConvBlocks& blocks, std::uint32_t width, bool float32_dest) {
    constexpr std::array<std::array<std::uint32_t, 2>, 20> kSizes{
        {{2, 4}, {4, 2}, {1, 8}, {8, 1}, {1, 7}, {7, 1}, {2, 3}, {3, 2}, {1, 6}, {6, 1},
         {1, 5}, {5, 1}, {2, 2}, {1, 4}, {4, 1}, {1, 3}, {3, 1}, {1, 2}, {2, 1}, {1, 1}}};
    for (const auto& [h, w] : kSizes) {
        const bool fits = !float32_dest || h * w <= 4;
        if (fits && blocks.act_block_h % h == 0 && width % w == 0 && (w == width || h == 1)) {
            blocks.out_subblock_h = h;
            blocks.out_subblock_w = w;
            return;
        }
    }
}

// Reading all taps of a one-dimensional depthwise conv in one go needs whole tiles of channels and one burst of the
// NoC.
bool reads_taps_together(
    const ConvShape& shape, const ParallelConfig& input, std::uint32_t channels, DataType dtype, bool has_bias) {
    constexpr std::uint64_t kBurst = 256 * 32;
    return shape.is_depthwise_1d(has_bias) && input.scheme == TensorMemoryLayout::HEIGHT_SHARDED &&
           shape.kernel[1] > 1 && shape.dilation[1] == 1 && channels % kTile == 0 &&
           std::uint64_t{channels} * (dtype == DataType::FLOAT32 ? 4 : 2) * shape.kernel[1] <= kBurst;
}

ConvBlocks choose_blocks(
    const ConvShape& shape, const ConvPlan& plan, const Conv2dConfig& config, bool float32_dest, bool has_bias) {
    ConvBlocks blocks;
    blocks.act_block_h = plan.out_tiles_h;
    if (config.act_block_h_override > 0) {
        blocks.act_block_h = largest_divisor(plan.out_tiles_h, config.act_block_h_override / kTile);
    }
    const std::uint32_t channels = plan.in_channels_padded / plan.input.cores_channels();
    const std::uint32_t taps_w = shape.kernel[1];
    switch (plan.input.scheme) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            if (config.enable_activation_reuse) {
                TT_FATAL(
                    blocks.act_block_h > divide_up(shape.output()[1], kTile),
                    "Activation reuse needs act block h ({}) to be bigger than output image width in tiles ({}) for "
                    "the "
                    "optimization to give boost",
                    blocks.act_block_h, divide_up(shape.output()[1], kTile));
            }
            if (shape.is_depthwise_1d(has_bias)) {
                blocks.act_block_w = up(channels * (plan.coalesced_taps ? taps_w : 1), kTile) / kTile;
            } else {
                blocks.act_block_w =
                    up(channels * taps_w * (config.enable_activation_reuse ? shape.kernel[0] : 1), kTile) / kTile;
            }
            break;
        case TensorMemoryLayout::BLOCK_SHARDED:
            blocks.act_block_w = up(channels * taps_w * (config.full_inner_dim ? shape.kernel[0] : 1), kTile) / kTile;
            break;
        default:
            TT_FATAL(
                config.act_block_w_div > 0 && channels % (kTile * config.act_block_w_div) == 0,
                "Conv2d: {} channels a core must be a multiple of 32 times act_block_w_div {}", channels,
                config.act_block_w_div);
            blocks.act_block_w = channels * shape.kernel[0] * taps_w / config.act_block_w_div / kTile;
    }
    choose_subblock(blocks, plan.out_tiles_w, float32_dest);
    return blocks;
}

}  // namespace

Pair ConvShape::output() const {
    Pair size{};
    for (int axis = 0; axis < 2; ++axis) {
        const std::uint32_t padded = input[axis] + padding[2 * axis] + padding[2 * axis + 1];
        const std::uint32_t reach = dilation[axis] * (kernel[axis] - 1) + 1;
        size[axis] = padded < reach ? 0 : (padded - reach) / stride[axis] + 1;
    }
    return size;
}

sliding::Window ConvShape::window() const {
    return {
        .batch = batch, .input = input, .kernel = kernel, .stride = stride, .padding = padding, .dilation = dilation};
}

bool ConvShape::is_matmul(const Conv2dConfig& config) const {
    return kernel == Pair{1, 1} && stride == Pair{1, 1} && padding == Padding{0, 0, 0, 0} && dilation == Pair{1, 1} &&
           config.shard_layout != TensorMemoryLayout::WIDTH_SHARDED;
}

bool ConvShape::is_depthwise_1d(bool has_bias) const {
    return groups == in_channels && groups == out_channels && kernel[0] == 1 && input[0] == 1 && !has_bias;
}

std::uint32_t channels_alignment(
    TensorMemoryLayout scheme, Layout layout, bool sliced, bool is_matmul,
    const std::optional<MemoryConfig>& input_memory) {
    if (is_matmul || scheme == TensorMemoryLayout::WIDTH_SHARDED || (layout != Layout::ROW_MAJOR && !sliced)) {
        return kTile;
    }
    if (input_memory && input_memory->is_sharded()) {
        const std::uint32_t width = input_memory->shard_spec()->shape[1];
        return width % 32 == 0 ? 32 : width % 16 == 0 ? 16 : width % 8 == 0 ? 8 : 32;
    }
    return 8;  // bfloat16 values of 16 bytes, which L1 is aligned to
}

ParallelConfig output_parallel_config(
    const ParallelConfig& input, CoreCoord grid, std::uint32_t out_channels, bool is_matmul,
    const Conv2dConfig& config) {
    if (config.override_output_sharding_config) {
        TT_FATAL(
            config.core_grid.has_value(),
            "When override_output_sharding_config is set to true, core_grid must have a value.");
        TT_FATAL(
            input.scheme == TensorMemoryLayout::BLOCK_SHARDED,
            "Output sharding config override is only supported for BLOCK_SHARDED layout.");
        const CoreCoord wanted = config.core_grid->bounding_box().grid_size();
        TT_FATAL(
            grid.x >= wanted.x && grid.y >= wanted.y,
            "Invalid core grid override: {}x{} for device compute grid size: {}x{}", wanted.x, wanted.y, grid.x,
            grid.y);
        TT_FATAL(
            (input.orientation == ShardOrientation::ROW_MAJOR ? wanted.y : wanted.x) == input.cores_nhw(),
            "NHW cores must match for input and output when overriding the grid size.");
        grid = wanted;
    }
    ParallelConfig output = input;
    if (is_matmul) {
        return output;
    }
    const auto tiles = static_cast<std::uint32_t>(divide_up(out_channels, kTile));
    if (input.scheme == TensorMemoryLayout::WIDTH_SHARDED) {
        output.grid = sliding::choose_parallel_config({.scheme = input.scheme,
                                                       .batch = 1,
                                                       .in_channels = out_channels,
                                                       .out_height = 1,
                                                       .out_width = 1,
                                                       .out_channels = out_channels,
                                                       .channels_alignment = kTile,
                                                       .grid = grid})
                          .grid;
    } else if (input.scheme == TensorMemoryLayout::BLOCK_SHARDED) {
        const bool by_columns = input.orientation == ShardOrientation::COL_MAJOR;
        const std::uint32_t channels =
            largest_divisor_with_padding(tiles, static_cast<std::uint32_t>(by_columns ? grid.y : grid.x));
        const std::uint32_t nhw = input.cores_nhw();
        const CoreCoord end = by_columns ? CoreCoord(nhw - 1, channels - 1) : CoreCoord(channels - 1, nhw - 1);
        output.grid = CoreRangeSet(CoreRange({0, 0}, end));
    }
    return output;
}

ConvPlan make_plan(
    const ConvShape& shape, const ParallelConfig& input, std::uint32_t in_channels_padded, const Conv2dConfig& config,
    const DeviceComputeKernelConfig& compute, CoreCoord grid, bool is_matmul, bool has_bias, DataType input_dtype) {
    ConvPlan plan;
    plan.input = input;
    plan.output = output_parallel_config(input, grid, shape.out_channels, is_matmul, config);
    plan.in_channels_padded = in_channels_padded;
    const Pair out = shape.output();
    const std::uint32_t rows = shape.batch * out[0] * out[1];
    plan.output_memory =
        sliding::sharded_memory(rows, up(shape.out_channels, plan.output.cores_channels() * kTile), plan.output, kTile);
    const auto& shard = plan.output_memory.shard_spec()->shape;
    plan.out_tiles_h = static_cast<std::uint32_t>(divide_up(shard[0], kTile));
    plan.out_tiles_w = static_cast<std::uint32_t>(divide_up(shard[1], kTile));
    plan.coalesced_taps = reads_taps_together(shape, input, in_channels_padded, input_dtype, has_bias);
    plan.blocks = choose_blocks(shape, plan, config, compute.fp32_dest_acc_en, has_bias);
    return plan;
}

MemoryConfig input_memory_config(
    const ConvShape& shape, TensorMemoryLayout scheme, Layout layout, bool sliced, bool is_matmul, CoreCoord grid,
    const Conv2dConfig& config, const std::optional<ParallelConfig>& parallel) {
    const std::uint32_t alignment = channels_alignment(scheme, layout, sliced, is_matmul, std::nullopt);
    const Pair out = shape.output();
    const ParallelConfig chosen = parallel
                                      ? *parallel
                                      : sliding::choose_parallel_config(
                                            {.scheme = scheme,
                                             .batch = shape.batch,
                                             .in_channels = shape.in_channels,
                                             .out_height = out[0],
                                             .out_width = out[1],
                                             .out_channels = shape.out_channels,
                                             .channels_alignment = alignment,
                                             .grid = grid,
                                             .block_orientation = config.transpose_shards ? ShardOrientation::COL_MAJOR
                                                                                          : ShardOrientation::ROW_MAJOR,
                                             .pad_channels = !is_matmul});
    const std::uint32_t unit = scheme == TensorMemoryLayout::WIDTH_SHARDED && layout == Layout::ROW_MAJOR ? 1 : kTile;
    return sliding::sharded_memory(
        up(shape.batch * shape.input[0] * shape.input[1], chosen.cores_nhw() * unit),
        up(shape.in_channels, chosen.cores_channels() * alignment), chosen, unit);
}

bool packs_into_l1(const DeviceComputeKernelConfig& compute, bool has_bias, std::uint32_t k_blocks) {
    return compute.packer_l1_acc && ((has_bias && k_blocks > 1) || k_blocks > 2);
}

}  // namespace ttnn_cpu::conv_op
