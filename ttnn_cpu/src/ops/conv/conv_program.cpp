// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/conv_program.hpp"

#include <memory>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "kernels/conv_fast.hpp"
#include "kernels/wormhole/conv_exact.hpp"
#include "ops/conv/halo.hpp"
#include "ops/eltwise/unary_functions.hpp"

namespace ttnn_cpu::conv_op {

using kernels::StoredFormat;
using tt::tt_metal::MathFidelity;
using tt::tt_metal::PageConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

StoredFormat stored_format(DataType dtype) {
    switch (dtype) {
        case DataType::BFLOAT16:
            return StoredFormat::Bfloat16;
        case DataType::FLOAT32:
            return StoredFormat::Float32;
        case DataType::BFLOAT8_B:
            return StoredFormat::Bfloat8B;
        case DataType::BFLOAT4_B:
            return StoredFormat::Bfloat4B;
        default:
            TT_THROW("Conv2d: unsupported data type {}", to_string(dtype));
    }
}

TensorSpec output_spec(const ConvOp& op) {
    const Pair out = op.shape.output();
    const MemoryConfig memory(
        op.plan.output_memory.memory_layout(), op.plan.output_memory.buffer_type(),
        ShardSpec(
            op.plan.output_memory.shard_spec()->grid, {op.plan.out_tiles_h * kTile, op.plan.out_tiles_w * kTile},
            op.plan.output_memory.shard_spec()->orientation));
    // Whole tiles, even in rows.
    return TensorSpec(
        Shape{1, 1, op.shape.batch * out[0] * out[1], op.shape.out_channels},
        TensorLayout(
            op.output_dtype, PageConfig(op.config.output_layout), memory, tt::tt_metal::Alignment{kTile, kTile}));
}

struct Activation {
    bool relu = false;
    std::optional<kernels::UnaryOp> function;
};

Activation activation_of(const Conv2dConfig& config) {
    Activation activation;
    if (config.activation) {
        activation.relu = config.activation->op_type == ttnn::operations::unary::UnaryOpType::RELU;
        if (!activation.relu) {
            activation.function =
                kernel_function("Conv2d", ttnn::operations::unary::EltwiseUnaryWithParam(*config.activation));
        }
    }
    return activation;
}

struct Sizes {
    kernels::ConvImages images;
    StoredFormat in;
    StoredFormat weights;
    StoredFormat bias;
    StoredFormat out;
    bool has_bias;
};

Sizes sizes_of(
    const ConvOp& op, const TensorSpec& input, const TensorSpec& weights, const std::optional<Tensor>& bias,
    const TensorSpec& output) {
    const Pair out = op.shape.output();
    const auto& shape = op.shape;
    return {
        .images =
            {.batch = shape.batch,
             .in_h = shape.input[0],
             .in_w = shape.input[1],
             .in_channels = shape.in_channels,
             .out_h = out[0],
             .out_w = out[1],
             .out_channels = shape.out_channels,
             .stride = {shape.stride[0], shape.stride[1]},
             .dilation = {shape.dilation[0], shape.dilation[1]},
             .padding = {shape.padding[0], shape.padding[1], shape.padding[2], shape.padding[3]},
             .groups = shape.groups,
             .in_rows = input.physical_shape().height(),
             .in_cols = input.physical_shape().width(),
             .out_rows = output.physical_shape().height(),
             .out_cols = output.physical_shape().width(),
             .weight_cols = weights.physical_shape().width()},
        .in = stored_format(input.data_type()),
        .weights = stored_format(weights.data_type()),
        .bias = bias ? stored_format(bias->dtype()) : StoredFormat::Bfloat16,
        .out = stored_format(output.data_type()),
        .has_bias = bias.has_value()};
}

// Where the pixels are: a halo left them, or they are the op's own input.
using Pixels = std::function<const std::byte*(std::span<const BufferRef> inputs, std::span<const BufferRef> outputs)>;

Kernel fast_kernel(const ConvOp& op, const Sizes& sizes, Pixels pixels) {
    const MathFidelity fidelity = op.compute.math_fidelity;
    const Activation activation = activation_of(op.config);
    // Values that are in the output's block float already stay as they are.
    const bool same_groups = op.shape.in_channels % 16 == 0 && op.plan.in_channels_padded % 16 == 0;
    const bool repack = sizes.out == StoredFormat::Bfloat8B && !(sizes.in == StoredFormat::Bfloat8B && same_groups);
    const auto conv = std::make_shared<const kernels::FastConv>(kernels::FastConvSpec{
        .images = sizes.images,
        .layout = op.weights.layout,
        .in_format = sizes.in,
        .weight_format = sizes.weights,
        .bias_format = sizes.bias,
        .out_format = sizes.out,
        // The engine reads 6 fraction bits of the activations, and 4 more from HiFi3 on; 4 of the weights, and 5 more
        // from HiFi2.
        .mask0 = kernels::fraction_mask(fidelity == MathFidelity::LoFi || fidelity == MathFidelity::HiFi2 ? 6 : 10),
        .mask1 = kernels::fraction_mask(fidelity == MathFidelity::LoFi ? 4 : 9),
        .repack_input = repack,
        .epilogue = {
            .float32_destination = op.compute.fp32_dest_acc_en,
            .has_bias = sizes.has_bias,
            .relu = activation.relu,
            .activation = activation.function}});
    return [conv, pixels](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        const BufferRef& weights = inputs[1];
        const auto make = [&] { return conv->pack(weights.data); };
        const auto packed =
            weights.packed->constant()
                ? std::static_pointer_cast<const std::byte>(weights.packed->get(conv->packed_key(), make))
                : make();
        conv->run(pixels(inputs, outputs), inputs.size() > 2 ? inputs[2].data : nullptr, outputs[0].data, packed.get());
    };
}

Kernel wormhole_kernel(const ConvOp& op, const Sizes& sizes, Pixels pixels) {
    namespace wormhole = kernels::wormhole;
    const Activation activation = activation_of(op.config);
    const bool float32 = op.compute.fp32_dest_acc_en;
    const bool l1_acc =
        packs_into_l1(op.compute, sizes.has_bias, static_cast<std::uint32_t>(op.weights.layout.blocks()));
    wormhole::ExactConvSpec spec{
        .images = sizes.images,
        .layout = op.weights.layout,
        .in_format = sizes.in,
        .weight_format = sizes.weights,
        .bias_format = sizes.bias,
        .out_format = sizes.out};
    constexpr wormhole::Fidelity kFidelities[] = {
        wormhole::Fidelity::LoFi, wormhole::Fidelity::LoFi, wormhole::Fidelity::HiFi2, wormhole::Fidelity::HiFi3,
        wormhole::Fidelity::HiFi4};
    spec.engine.fidelity = kFidelities[static_cast<std::size_t>(op.compute.math_fidelity)];
    spec.engine.fp32_dest = float32;
    spec.engine.partials = l1_acc ? wormhole::Partials::PackerL1Acc : wormhole::Partials::SpillReload;
    spec.engine.partials_format = float32                                         ? wormhole::PartialsFormat::Float32
                                  : l1_acc || sizes.out == StoredFormat::Bfloat16 ? wormhole::PartialsFormat::BFloat16
                                  : sizes.out == StoredFormat::Bfloat8B           ? wormhole::PartialsFormat::BFloat8B
                                  : sizes.out == StoredFormat::Bfloat4B           ? wormhole::PartialsFormat::BFloat4B
                                                                                  : wormhole::PartialsFormat::BFloat16;
    spec.engine.has_bias = sizes.has_bias;
    spec.engine.packer_relu = activation.relu;
    if (activation.function && !float32) {
        spec.engine.activation_table = kernels::unary_table(*activation.function).data();
    }
    spec.float32_activation = float32 ? activation.function : std::nullopt;
    return [spec, pixels](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        wormhole::exact_conv(
            spec, pixels(inputs, outputs), inputs[1].data, inputs.size() > 2 ? inputs[2].data : nullptr,
            outputs[0].data);
    };
}

JsonText describe_activation(const Conv2dConfig& config) {
    JsonText text;
    if (config.activation) {
        text.field("op_type", to_string(config.activation->op_type)).field("params", config.activation->params);
    }
    return text;
}

void check(const ConvOp& op, const Tensor& weights, const std::optional<Tensor>& bias) {
    TT_FATAL(!weights.memory_config().is_sharded(), "Weights tensor should not be sharded.");
    TT_FATAL(
        op.config.output_layout == Layout::TILE || op.output_dtype == DataType::BFLOAT16 ||
            op.output_dtype == DataType::FLOAT32,
        "Untilize output requires BFLOAT16 or FLOAT32 data type but got {}", to_string(op.output_dtype));
    const auto& physical = weights.tensor_spec().physical_shape();
    TT_FATAL(
        op.shape.out_channels <= physical.width(),
        "Invalid weight shape. Incorrect weight tensor: {} columns for {} output channels", physical.width(),
        op.shape.out_channels);
    TT_FATAL(
        physical.height() == op.weights.layout.rows && physical.width() == op.weights.columns,
        "Conv2d: the prepared weights are a {}x{} matrix, but this conv ({}, {} cores) needs {}x{}; prepare them with "
        "the same "
        "arguments as the conv is called with",
        physical.height(), physical.width(), to_string(op.plan.input.scheme), op.plan.input.grid.num_cores(),
        op.weights.layout.rows, op.weights.columns);
    if (bias) {
        TT_FATAL(
            bias->tensor_spec().physical_shape().width() == physical.width(),
            "Bias tiles ({}) must equal weight matrix width in tiles ({})",
            bias->tensor_spec().physical_shape().width() / kTile, physical.width() / kTile);
    }
    if (op.config.enable_activation_reuse) {
        TT_FATAL(
            op.plan.input.scheme == TensorMemoryLayout::HEIGHT_SHARDED,
            "Activation data reuse is not supported for block sharded");
        TT_FATAL(op.shape.dilation == (Pair{1, 1}), "Activation data reuse is not supported for dilation > 1");
        TT_FATAL(op.shape.stride == (Pair{1, 1}), "Activation data reuse is not supported for stride > 1");
    }
}

Tensor launch_conv(
    const Tensor& haloed, const TensorSpec& source, const Tensor& weights, const std::optional<Tensor>& bias,
    const ConvOp& op, bool haloed_pixels) {
    const TensorSpec spec = output_spec(op);
    const auto& plan = op.plan;
    std::vector<Tensor> inputs{haloed, weights};
    if (bias) {
        inputs.push_back(*bias);
    }
    return launch({.name = "Conv2dDeviceOperation",
                   .attributes = JsonText()
                                     .field("batch_size", op.shape.batch)
                                     .field("input_hw", op.shape.input)
                                     .field("input_channels", op.shape.in_channels)
                                     .field("output_channels", op.shape.out_channels)
                                     .field("window_hw", op.shape.kernel)
                                     .field("stride_hw", op.shape.stride)
                                     .field("padding", op.shape.padding)
                                     .field("dilation_hw", op.shape.dilation)
                                     .field("groups", op.shape.groups)
                                     .field("untilize_out", op.config.output_layout == Layout::ROW_MAJOR)
                                     .field("has_bias", bias.has_value())
                                     .field("activation", describe_activation(op.config))
                                     .field("act_block_h_ntiles", plan.blocks.act_block_h)
                                     .field("act_block_w_ntiles", plan.blocks.act_block_w)
                                     .field("out_subblock_h_ntiles", plan.blocks.out_subblock_h)
                                     .field("out_subblock_w_ntiles", plan.blocks.out_subblock_w)
                                     .field("memory_config", spec.memory_config())
                                     .field("dtype", op.output_dtype)
                                     .field("math_fidelity", op.compute.math_fidelity)
                                     .field("fp32_dest_acc_en", op.compute.fp32_dest_acc_en)
                                     .field("packer_l1_acc", op.compute.packer_l1_acc)
                                     .field("enable_act_double_buffer", op.config.enable_act_double_buffer)
                                     .field("enable_weights_double_buffer", op.config.enable_weights_double_buffer)
                                     .field("full_inner_dim", op.config.full_inner_dim)
                                     .field("act_block_w_div", op.config.act_block_w_div)
                                     .field("enable_activation_reuse", op.config.enable_activation_reuse)
                                     .field("config_tensors_in_dram", op.config.config_tensors_in_dram)
                                     .field("force_split_reader", op.config.force_split_reader)
                                     .field("halo_input", source)
                                     .field("haloed", haloed_pixels)
                                     .str(),
                   .inputs = inputs,
                   .output_specs = {spec},
                   .create_program =
                       [&](Numerics numerics) {
                           const bool by_height = plan.input.scheme == TensorMemoryLayout::HEIGHT_SHARDED;
                           Conv2dConfig config = op.config;
                           config.weights_dtype = weights.dtype();
                           const std::uint32_t shard_channels = haloed.shard_spec()->shape[1];
                           BufferRequest request{
                               .shape = &op.shape,
                               .plan = &plan,
                               .config = &config,
                               .compute = op.compute,
                               .input_dtype = haloed.dtype(),
                               .output_dtype = op.output_dtype,
                               .weight_rows = static_cast<std::uint32_t>(op.weights.layout.rows),
                               .weight_columns = op.weights.columns,
                               .has_bias = bias.has_value(),
                               .shard_channels = shard_channels,
                               .skip_activation_mcast =
                                   by_height ? plan.input.grid.num_cores() == 1
                                             : plan.input.cores_channels() == 1 && plan.output.cores_channels() == 1,
                               .index_bytes = std::nullopt,
                               .arch = haloed.device()->arch()};
                           const bool split = conv_buffers(request).split_reader;
                           sliding::Window window = op.shape.window();
                           window.cores_nhw = plan.input.cores_nhw();
                           window.snap_to_tile = true;
                           const std::uint32_t second = split ? plan.blocks.act_block_h / 2 : 0;
                           const std::uint32_t length = sliding::reader_table_length(
                               window, (plan.blocks.act_block_h - second) * kTile, second * kTile, true);
                           request.index_bytes = static_cast<std::uint32_t>(round_up(2 * length, 16));
                           const auto table = std::make_shared<Tensor>(sliding::make_table(
                               plan.input, length, op.config.config_tensors_in_dram, haloed.device()));
                           const Sizes sizes = sizes_of(op, source, weights.tensor_spec(), bias, spec);
                           Program program;
                           program.core_count = static_cast<std::uint32_t>(
                               std::max(plan.input.grid.num_cores(), plan.output.grid.num_cores()));
                           program.circular_buffer_bytes = conv_buffers(request).circular_buffers;
                           program.math_fidelity = op.compute.math_fidelity;
                           const Pixels pixels = [haloed_pixels, bytes = spec.compute_packed_buffer_size_bytes()](
                                                     std::span<const BufferRef> in, std::span<const BufferRef> out) {
                               return haloed_pixels ? sliding::haloed_input(out[0].data, bytes) : in[0].data;
                           };
                           program.borrows = haloed_pixels;
                           program.kernel =
                               [table, kernel = numerics == Numerics::Wormhole ? wormhole_kernel(op, sizes, pixels)
                                                                               : fast_kernel(op, sizes, pixels)](
                                   std::span<const BufferRef> in, std::span<const BufferRef> out) { kernel(in, out); };
                           return program;
                       }})
        .front();
}

}  // namespace

Tensor run_conv(
    Tensor input, const Tensor& weights, const std::optional<Tensor>& bias, const ConvOp& op, bool input_stays) {
    check(op, weights, bias);
    const TensorSpec source = input.tensor_spec();
    // Rows whose cores hold all pixels need no others.
    if (op.plan.input.scheme == TensorMemoryLayout::WIDTH_SHARDED && input.layout() == Layout::ROW_MAJOR &&
        op.shape.padding == Padding{0, 0, 0, 0}) {
        return launch_conv(input, source, weights, bias, op, false);
    }
    sliding::Window window = op.shape.window();
    window.cores_nhw = op.plan.input.cores_nhw();
    window.snap_to_tile = true;
    Tensor haloed = sliding::halo(
        input, {.window = window, .parallel = op.plan.input, .tables_in_dram = op.config.config_tensors_in_dram});
    if (!input_stays) {
        input.deallocate(true);
    }
    if (op.config.reallocate_halo_output) {
        haloed = sliding::move(haloed);
    }
    return launch_conv(haloed, source, weights, bias, op, true);
}

}  // namespace ttnn_cpu::conv_op
