// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/data_type.hpp"
#include "ops/conv/blocking.hpp"

namespace ttnn_cpu::conv_op {

using tt::tt_metal::ShardOrientation;

namespace {

std::uint64_t tile_bytes(DataType dtype) { return storage_bytes(dtype, kTile * kTile); }

// A transfer of `bytes` on the NoC, in GB/s: from the rate of the smallest transfers up to a peak, in proportion.
struct NocRate {
    float full;  // bytes from which on the peak is reached
    float least;
    float peak;

    float operator()(std::uint64_t bytes) const {
        const float size = std::clamp(static_cast<float>(bytes), 16.0F, full);
        return least + (peak - least) / (full - 16.0F) * (size - 16.0F);
    }
};

std::uint32_t tilize_cycles(bool blackhole, bool float32, DataType output, bool float32_dest) {
    const int to = output == DataType::FLOAT32 ? 0 : output == DataType::BFLOAT16 ? 1 : 2;
    static constexpr std::uint32_t kCycles[2][2][3][2] = {
        {{{92, 117}, {61, 68}, {40, 43}}, {{107, 128}, {74, 74}, {74, 70}}},
        {{{105, 128}, {72, 72}, {60, 60}}, {{132, 132}, {132, 80}, {132, 77}}}};
    return kCycles[blackhole ? 1 : 0][float32 ? 1 : 0][to][float32_dest ? 1 : 0];
}

// Whether the kernel that reads weights shall read half of the activations too: TTNN's estimate of what is ready
// sooner.
bool splits_reader(const BufferRequest& r) {
    const ConvPlan& plan = *r.plan;
    const TensorMemoryLayout scheme = plan.input.scheme;
    if (scheme == TensorMemoryLayout::WIDTH_SHARDED || r.shape->is_depthwise_1d(r.has_bias) ||
        plan.blocks.act_block_h <= 1) {
        return false;
    }
    if (r.config->force_split_reader) {
        return *r.config->force_split_reader;
    }
    if (scheme == TensorMemoryLayout::BLOCK_SHARDED || r.config->enable_activation_reuse) {
        return true;
    }
    const bool blackhole = r.arch == tt::ARCH::BLACKHOLE;
    const NocRate local = blackhole ? NocRate{4096, 1.124F, 80.48F} : NocRate{1024, 0.868F, 27.84F};
    const NocRate dram = blackhole ? NocRate{2048, 0.671F, 80.885F} : NocRate{2048, 0.436F, 28.411F};
    const NocRate mcast = blackhole ? NocRate{65536, 0.182F, 57.677F} : NocRate{65536, 0.318F, 25.345F};
    const float clock = blackhole ? 1.35F : 1.0F;
    const bool float32 = r.input_dtype == DataType::FLOAT32;
    const std::uint64_t element = float32 ? 4 : 2;
    const std::uint64_t kernel_w = r.shape->kernel[1];
    const std::uint64_t unit = element * r.shard_channels * (r.shape->dilation[1] == 1 ? kernel_w : 1);
    const float activation =
        clock * static_cast<float>(element * plan.blocks.act_block_h * kTile * r.shard_channels * kernel_w) /
        local(unit);
    const std::uint64_t weight_tile = tile_bytes(*r.config->weights_dtype);
    const std::uint64_t weight_bytes = weight_tile * plan.out_tiles_w * plan.blocks.act_block_w;
    const float weights =
        clock * static_cast<float>(weight_bytes) * (1.0F / dram(weight_tile) + 1.0F / mcast(weight_bytes));
    const auto tilize = static_cast<float>(
        tilize_cycles(blackhole, float32, r.output_dtype, r.compute.fp32_dest_acc_en) * plan.blocks.act_block_w *
        plan.blocks.act_block_h);
    return activation / 2 + std::max(weights, tilize) < std::max(activation + tilize, weights);
}

// Tiles of activations where rows of the image share what they have in common.
std::uint32_t reused_tiles(const BufferRequest& r, std::uint32_t block_h) {
    const std::uint32_t width = r.shape->output()[1];
    const auto width_tiles = static_cast<std::uint32_t>(divide_up(width, kTile));
    const auto loops = static_cast<std::uint32_t>(divide_up(block_h, width_tiles));
    const std::uint32_t left_over = (kTile - width % kTile) % kTile;
    const std::uint32_t channels = r.weight_rows / (r.shape->kernel[0] * r.shape->kernel[1]);
    const std::uint32_t element = r.input_dtype == DataType::FLOAT32 ? 4 : 2;
    const std::uint64_t bytes =
        std::uint64_t{loops} * channels * r.shape->kernel[1] * (1 + left_over * r.shape->kernel[0]) * element;
    const std::uint64_t tile = kTile * kTile * element;
    return width_tiles * r.plan->blocks.act_block_w + static_cast<std::uint32_t>(divide_up(bytes, tile));
}

}  // namespace

BufferSizes conv_buffers(const BufferRequest& r) {
    const ConvPlan& plan = *r.plan;
    const ConvBlocks& blocks = plan.blocks;
    const Conv2dConfig& config = *r.config;
    const TensorMemoryLayout scheme = plan.input.scheme;
    const bool by_height = scheme == TensorMemoryLayout::HEIGHT_SHARDED;
    const bool by_block = scheme == TensorMemoryLayout::BLOCK_SHARDED;
    const bool depthwise = r.shape->is_depthwise_1d(r.has_bias);
    const DataType halo_dtype = r.input_dtype == DataType::FLOAT32 ? DataType::FLOAT32 : DataType::BFLOAT16;
    const std::uint64_t input_tile = tile_bytes(halo_dtype);
    const std::uint64_t weight_tile = tile_bytes(*config.weights_dtype);
    const std::uint64_t output_tile = tile_bytes(r.output_dtype);
    const std::uint32_t blocks_h = plan.out_tiles_h / blocks.act_block_h;
    const bool untilize = config.output_layout == Layout::ROW_MAJOR;

    BufferSizes sizes;
    sizes.split_reader = splits_reader(r);
    std::uint64_t act = std::uint64_t{blocks.act_block_h} * blocks.act_block_w;
    std::uint64_t act_second = 0;
    if (sizes.split_reader) {
        const std::uint32_t second = blocks.act_block_h / 2;
        const std::uint32_t first = blocks.act_block_h - second;
        if (config.enable_activation_reuse) {
            act = reused_tiles(r, first);
            act_second = reused_tiles(r, second);
        } else {
            act = std::uint64_t{first} * blocks.act_block_w;
            act_second = std::uint64_t{second} * blocks.act_block_w;
        }
    }

    const std::uint32_t taps = r.shape->kernel[0] * r.shape->kernel[1];
    const std::uint32_t k_blocks_w =
        depthwise ? (plan.coalesced_taps ? 1 : taps) : r.weight_rows / kTile / blocks.act_block_w;
    const std::uint32_t k_blocks = by_block ? k_blocks_w * (r.weight_columns / kTile / plan.out_tiles_w) : k_blocks_w;
    const bool l1_acc = packs_into_l1(r.compute, r.has_bias, k_blocks);
    const DataType partials_dtype = !l1_acc                      ? r.output_dtype
                                    : r.compute.fp32_dest_acc_en ? DataType::FLOAT32
                                                                 : DataType::BFLOAT16;

    std::uint64_t weights =
        std::uint64_t{plan.out_tiles_w} *
        (depthwise ? blocks.act_block_h * (plan.coalesced_taps ? r.shape->kernel[1] : 1) : blocks.act_block_w);
    if (by_height && !config.enable_activation_reuse && blocks_h > 1) {
        // Stay for all blocks of rows.
        weights *= depthwise ? k_blocks_w : r.shape->kernel[0];
    } else if (config.enable_weights_double_buffer && !(by_height && config.enable_activation_reuse)) {
        weights *= 2;
    }

    const std::uint64_t output_block = std::uint64_t{blocks.act_block_h} * plan.out_tiles_w;
    std::uint64_t partials = 0;
    if (depthwise) {
        partials = by_height && !plan.coalesced_taps && blocks_h > 1 ? act * output_tile : 0;
    } else if (untilize || partials_dtype != r.output_dtype) {
        partials = output_block * tile_bytes(partials_dtype);
    }

    if (config.enable_act_double_buffer) {
        act *= 2;
        act_second *= 2;
    }
    // Block sharding may gather rows where the other cores' activations arrive, and width or block sharding on one core
    // has no others.
    const bool overlap_rows = by_block && halo_dtype == r.output_dtype && !r.skip_activation_mcast;
    const bool overlap_act = !by_height && r.skip_activation_mcast;
    std::uint64_t total = weights * weight_tile + partials;
    if (by_height) {
        total += act * input_tile;
    } else if (!overlap_act) {
        total += (act + act_second) * output_tile;
    }
    total += overlap_rows ? 0 : act_second * input_tile;
    total += std::uint64_t{blocks.act_block_h} * blocks.act_block_w * output_tile;
    total += r.has_bias ? plan.out_tiles_w * weight_tile : 0;
    if (scheme == TensorMemoryLayout::WIDTH_SHARDED) {
        total += std::uint64_t{blocks.act_block_w} * 2 * input_tile;
    } else if (by_block && !overlap_rows) {
        total += act * input_tile;
    }
    if (config.config_tensors_in_dram) {
        total += r.index_bytes.value_or(plan.out_tiles_h * kTile * 2);
    }
    sizes.circular_buffers = total + 64;
    sizes.output = std::uint64_t{plan.out_tiles_h} * plan.out_tiles_w * output_tile;
    return sizes;
}

L1Usage l1_usage(
    const ConvShape& shape, TensorMemoryLayout scheme, Conv2dConfig config, const DeviceComputeKernelConfig& compute,
    DataType input_dtype, DataType output_dtype, Layout input_layout, bool is_matmul, bool has_bias,
    tt::tt_metal::distributed::MeshDevice& device, const std::optional<MemoryConfig>& halo_input) {
    config.shard_layout = scheme;
    const auto grid = device.compute_with_storage_grid_size();
    const std::uint32_t alignment = channels_alignment(scheme, input_layout, false, is_matmul, std::nullopt);
    const Pair out = shape.output();
    const ParallelConfig input = halo_input
                                     ? sliding::parallel_config_of(*halo_input)
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
                                            .pad_channels = !is_matmul,
                                            .act_block_h_override = config.act_block_h_override});
    const auto channels =
        static_cast<std::uint32_t>(round_up(shape.in_channels, std::size_t{input.cores_channels()} * alignment));
    const ConvPlan plan = make_plan(shape, input, channels, config, compute, grid, is_matmul, has_bias, input_dtype);
    const auto rows =
        static_cast<std::uint32_t>(round_up(shape.in_channels, alignment)) * shape.kernel[0] * shape.kernel[1];
    const BufferSizes buffers = conv_buffers(
        {.shape = &shape,
         .plan = &plan,
         .config = &config,
         .compute = compute,
         .input_dtype = input_dtype,
         .output_dtype = output_dtype,
         .weight_rows = rows,
         .weight_columns = static_cast<std::uint32_t>(round_up(shape.out_channels, kTile)),
         .has_bias = has_bias,
         .shard_channels = channels,
         .index_bytes = std::nullopt,
         .arch = device.arch()});
    const MemoryConfig shards =
        halo_input ? *halo_input
                   : input_memory_config(shape, scheme, input_layout, false, is_matmul, grid, config, input);
    const auto& shard = shards.shard_spec()->shape;
    sliding::Window window = shape.window();
    window.cores_nhw = input.cores_nhw();
    window.snap_to_tile = true;
    const std::uint64_t element = input_dtype == DataType::FLOAT32 ? 4 : 2;
    L1Usage usage;
    usage.core_count = static_cast<std::uint32_t>(std::max(input.grid.num_cores(), plan.output.grid.num_cores()));
    usage.halo_input = std::uint64_t{shard[0]} * shard[1] * element / (input_dtype == DataType::BFLOAT8_B ? 2 : 1);
    usage.halo_output = std::uint64_t{sliding::max_halo_sticks(window)} * shard[1] * element;
    usage.total = buffers.circular_buffers + buffers.output + usage.halo_output;
    return usage;
}

void choose_shard_layout(
    const ConvShape& shape, Conv2dConfig& config, const DeviceComputeKernelConfig& compute, DataType input_dtype,
    DataType output_dtype, Layout input_layout, bool is_matmul, bool has_bias,
    tt::tt_metal::distributed::MeshDevice& device) {
    if (config.shard_layout) {
        return;
    }
    const auto usage = [&](TensorMemoryLayout scheme) {
        return l1_usage(
            shape, scheme, config, compute, input_dtype, output_dtype, input_layout, is_matmul, has_bias, device);
    };
    if (shape.is_depthwise_1d(has_bias)) {
        config.shard_layout = TensorMemoryLayout::HEIGHT_SHARDED;
        return;
    }
    const L1Usage height = usage(TensorMemoryLayout::HEIGHT_SHARDED);
    const L1Usage block = usage(TensorMemoryLayout::BLOCK_SHARDED);
    const L1Usage width = usage(TensorMemoryLayout::WIDTH_SHARDED);
    std::uint64_t least = height.total;
    TensorMemoryLayout best = TensorMemoryLayout::HEIGHT_SHARDED;
    // On fewer cores a block layout would not split the channels.
    if (block.total < least && block.core_count >= device.compute_with_storage_grid_size().x) {
        least = block.total;
        best = TensorMemoryLayout::BLOCK_SHARDED;
    }
    if (width.total < least && !is_matmul) {
        best = TensorMemoryLayout::WIDTH_SHARDED;
    }
    config.shard_layout = best;
}

}  // namespace ttnn_cpu::conv_op
