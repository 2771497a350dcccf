// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/conv2d_steps.hpp"

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "ops/eltwise/unary_functions.hpp"

namespace ttnn_cpu::conv_op {

using tt::tt_metal::MathFidelity;
using tt::tt_metal::ShardOrientation;

DeviceComputeKernelConfig compute_config(
    const std::optional<const DeviceComputeKernelConfig>& given, DataType input_dtype, DataType weights_dtype) {
    if (given) {
        return *given;
    }
    return {
        .math_fidelity = MathFidelity::HiFi4,
        .math_approx_mode = true,
        .fp32_dest_acc_en = input_dtype == DataType::FLOAT32 && weights_dtype == DataType::FLOAT32,
        .packer_l1_acc = false};
}

void check_shape(const ConvShape& shape) {
    TT_FATAL(
        shape.batch > 0 && shape.in_channels > 0 && shape.out_channels > 0 && shape.groups > 0 && shape.stride[0] > 0 &&
            shape.stride[1] > 0 && shape.dilation[0] > 0 && shape.dilation[1] > 0 && shape.kernel[0] > 0 &&
            shape.kernel[1] > 0,
        "Conv2d: batch_size, channels, groups, kernel_size, stride and dilation must be positive");
    TT_FATAL(
        shape.in_channels % shape.groups == 0 && shape.out_channels % shape.groups == 0,
        "Conv2d: {} input and {} output channels must be multiples of groups {}", shape.in_channels, shape.out_channels,
        shape.groups);
    const Pair out = shape.output();
    TT_FATAL(
        out[0] > 0 && out[1] > 0,
        "Conv2d: a {}x{} kernel with dilation {}x{} does not fit an input of {}x{} with padding [{}, {}, {}, {}]",
        shape.kernel[0], shape.kernel[1], shape.dilation[0], shape.dilation[1], shape.input[0], shape.input[1],
        shape.padding[0], shape.padding[1], shape.padding[2], shape.padding[3]);
}

void check_config(const Conv2dConfig& config) {
    TT_FATAL(
        config.act_block_h_override % kTile == 0,
        "Config Error: act_block_h_override must be a multiple of 32 (tile height), but it is {}",
        config.act_block_h_override);
    TT_FATAL(
        config.padding_mode == ttnn::operations::sliding_window::PaddingMode::Zeros,
        "Conv2d: padding_mode Replicate is not supported by the embedded provider");
}

bool folds_stride(const ConvShape& shape, const Conv2dConfig& config, const MemoryConfig& memory, Layout layout) {
    if (config.enable_kernel_stride_folding) {
        return *config.enable_kernel_stride_folding && (shape.stride[0] > 1 || shape.stride[1] > 1);
    }
    const bool divides = (shape.input[0] + shape.padding[0] + shape.padding[1]) % shape.stride[0] == 0 &&
                         (shape.input[1] + shape.padding[2] + shape.padding[3]) % shape.stride[1] == 0;
    const bool no_padding = shape.padding == Padding{0, 0, 0, 0};
    return shape.stride == shape.kernel && shape.stride != Pair{1, 1} && shape.dilation == Pair{1, 1} && divides &&
           ((memory.is_dram() && (layout == Layout::ROW_MAJOR || no_padding)) ||
            memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED);
}

ConvShape folded_shape(const ConvShape& shape) {
    ConvShape to = shape;
    constexpr std::string_view kNames[] = {"height", "width"};
    for (int axis = 0; axis < 2; ++axis) {
        const std::uint32_t padded = shape.input[axis] + shape.padding[2 * axis] + shape.padding[2 * axis + 1];
        TT_FATAL(
            shape.stride[axis] <= shape.kernel[axis],
            "Conv2D kernel stride folding: Stride must be less than or equal to kernel size: {} and {}",
            shape.stride[axis], shape.kernel[axis]);
        TT_FATAL(
            padded % shape.stride[axis] == 0,
            "Padded input {} ({}) must be divisible by stride ({}) for kernel stride folding.", kNames[axis], padded,
            shape.stride[axis]);
        to.input[axis] = padded / shape.stride[axis];
        to.kernel[axis] = static_cast<std::uint32_t>(divide_up(shape.kernel[axis], shape.stride[axis]));
    }
    to.in_channels = shape.in_channels * shape.stride[0] * shape.stride[1];
    to.stride = {1, 1};
    to.padding = {0, 0, 0, 0};
    // The weights are dense by then.
    to.groups = 1;
    return to;
}

bool runs_in_dram(bool input_in_l1, const std::optional<const SliceConfig>& slice_config) {
    if (slice_config) {
        return slice_config->slice_type != SliceConfig::SliceType::L1_FULL;
    }
    return !input_in_l1;
}

InputPlacement place_input(
    const ConvShape& shape, const MemoryConfig& memory, Layout layout, const Conv2dConfig& config, bool is_matmul,
    MeshDevice& device) {
    const bool sharded = memory.is_sharded();
    TT_FATAL(sharded || config.shard_layout, "Tensor must be sharded or shard_layout must be set.");
    TT_FATAL(
        !(config.override_sharding_config && config.reshard_if_not_optimal),
        "Incorrect config provided: reshard_if_not_optimal and override_sharding_config cannot both be set.");
    TensorMemoryLayout scheme = config.shard_layout.value_or(memory.memory_layout());
    const std::uint32_t alignment = channels_alignment(memory.memory_layout(), layout, false, is_matmul, memory);
    bool moves = !sharded;
    ParallelConfig parallel;
    if (sharded) {
        parallel = sliding::parallel_config_of(memory);
        const auto& shard = memory.shard_spec()->shape;
        moves = moves || (parallel.scheme != TensorMemoryLayout::BLOCK_SHARDED &&
                          parallel.orientation != ShardOrientation::ROW_MAJOR);
        moves = moves || shard[1] % alignment != 0;
        if (is_matmul && parallel.scheme == TensorMemoryLayout::BLOCK_SHARDED &&
            shape.in_channels != parallel.cores_channels() * shard[1]) {
            moves = true;
            scheme = TensorMemoryLayout::BLOCK_SHARDED;
        }
        moves = moves || (is_matmul && shard[0] % kTile != 0);
        if (config.override_sharding_config) {
            TT_FATAL(config.core_grid, "If override_sharding_config is set, core_grid must be set as well.");
            TT_FATAL(config.shard_layout, "If override_sharding_config is set, shard_layout must be set as well.");
            moves = moves || *config.core_grid != parallel.grid || scheme != parallel.scheme ||
                    (scheme == TensorMemoryLayout::BLOCK_SHARDED &&
                     config.transpose_shards != (parallel.orientation == ShardOrientation::COL_MAJOR));
        }
    }
    const ShardOrientation orientation =
        config.transpose_shards ? ShardOrientation::COL_MAJOR : ShardOrientation::ROW_MAJOR;
    const Pair out = shape.output();
    if (config.reshard_if_not_optimal || moves) {
        ParallelConfig best = sliding::choose_parallel_config(
            {.scheme = scheme,
             .batch = shape.batch,
             .in_channels = shape.in_channels,
             .out_height = out[0],
             .out_width = out[1],
             .out_channels = shape.out_channels,
             .channels_alignment = alignment,
             .grid = device.compute_with_storage_grid_size(),
             .block_orientation = orientation,
             .pad_channels = !is_matmul,
             .act_block_h_override = config.act_block_h_override});
        if (config.override_sharding_config) {
            TT_FATAL(config.core_grid, "Core grid must be provided when overriding sharding config");
            best = {
                *config.core_grid, scheme,
                scheme == TensorMemoryLayout::BLOCK_SHARDED ? orientation : ShardOrientation::ROW_MAJOR};
        }
        moves = moves || parallel != best;
        parallel = best;
    }
    if (!moves) {
        return {memory, false};
    }
    return {
        input_memory_config(
            shape, scheme, layout, false, is_matmul, device.compute_with_storage_grid_size(), config, parallel),
        true};
}

ConvShape SlicedConv::slice_shape(const Rect& output) const {
    const sliding::InputSlice slice = input(output);
    ConvShape shape = arguments_.shape;
    shape.input = {slice.input.size(0), slice.input.size(1)};
    shape.padding = slice.padding;
    return shape;
}

bool SlicedConv::is_whole(const Rect& output) const {
    const sliding::InputSlice slice = input(output);
    return slice.input.size(0) == arguments_.shape.input[0] && slice.input.size(1) == arguments_.shape.input[1];
}

sliding::InputSlice SlicedConv::input(const Rect& output) const {
    return sliding::input_slice(arguments_.shape.window(), output, arguments_.config.output_layout == Layout::TILE);
}

std::uint32_t SlicedConv::run_width(const Rect& output) const { return slice_shape(output).output()[1]; }

MemoryConfig SlicedConv::input_memory(const Rect& output) const {
    const Arguments& a = arguments_;
    const ConvShape shape = slice_shape(output);
    Conv2dConfig config = a.config;
    choose_shard_layout(
        shape, config, a.compute, a.input_dtype, a.output_dtype, a.input_layout, false, a.has_bias, *a.device);
    return input_memory_config(
        shape, *config.shard_layout, a.input_layout, !is_whole(output), false,
        a.device->compute_with_storage_grid_size(), {.transpose_shards = config.transpose_shards}, std::nullopt);
}

std::uint64_t SlicedConv::l1_usage(const Rect& output) const {
    const Arguments& a = arguments_;
    const MemoryConfig memory = input_memory(output);
    const L1Usage usage = conv_op::l1_usage(
        slice_shape(output), a.config.shard_layout.value_or(memory.memory_layout()), a.config, a.compute, a.input_dtype,
        a.output_dtype, a.input_layout, false, a.has_bias, *a.device, memory);
    return std::max(usage.halo_input + usage.halo_output, usage.total);
}

Tensor SlicedConv::run(const Tensor&, const Rect&) { TT_THROW("Conv2d: nothing to run without weights"); }

JsonText describe(const Conv2dConfig& config) {
    JsonText activation;
    if (config.activation) {
        activation.field("op_type", to_string(config.activation->op_type)).field("params", config.activation->params);
    }
    JsonText text;
    text.field("weights_dtype", config.weights_dtype);
    config.activation ? text.field("activation", activation) : text.field("activation", std::nullopt);
    text.field("deallocate_activation", config.deallocate_activation)
        .field("reallocate_halo_output", config.reallocate_halo_output)
        .field("config_tensors_in_dram", config.config_tensors_in_dram)
        .field("act_block_h_override", config.act_block_h_override)
        .field("act_block_w_div", config.act_block_w_div)
        .field("reshard_if_not_optimal", config.reshard_if_not_optimal)
        .field("override_sharding_config", config.override_sharding_config)
        .field("shard_layout", config.shard_layout)
        .field("core_grid", config.core_grid)
        .field("transpose_shards", config.transpose_shards)
        .field("output_layout", config.output_layout)
        .field("enable_act_double_buffer", config.enable_act_double_buffer)
        .field("enable_weights_double_buffer", config.enable_weights_double_buffer)
        .field("full_inner_dim", config.full_inner_dim)
        .field("enable_kernel_stride_folding", config.enable_kernel_stride_folding)
        .field("enable_activation_reuse", config.enable_activation_reuse)
        .field("force_split_reader", config.force_split_reader)
        .field("override_output_sharding_config", config.override_output_sharding_config);
    return text;
}

JsonText describe(const DeviceComputeKernelConfig& config) {
    return JsonText()
        .field("math_fidelity", config.math_fidelity)
        .field("math_approx_mode", config.math_approx_mode)
        .field("fp32_dest_acc_en", config.fp32_dest_acc_en)
        .field("packer_l1_acc", config.packer_l1_acc);
}

JsonText describe(const SliceConfig& config) {
    constexpr std::string_view kTypes[] = {"DRAM_HEIGHT", "DRAM_WIDTH", "L1_FULL"};
    return JsonText()
        .field("slice_type", kTypes[static_cast<std::size_t>(config.slice_type)])
        .field("num_slices", config.num_slices);
}

}  // namespace ttnn_cpu::conv_op
