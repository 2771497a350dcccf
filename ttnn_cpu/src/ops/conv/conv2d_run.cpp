// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/conv2d_run.hpp"

#include <ttnn/operations/core/core.hpp>
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/fold/fold.hpp>
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/matmul/matmul.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/tensor_impl.hpp"
#include "ops/conv/conv_program.hpp"
#include "ops/conv/halo.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn_cpu::conv_op {

using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Conv2dResult;
using ttnn::Shape;

namespace {

bool same_memory(const Tensor& a, const Tensor& b) { return a.impl().buffer() == b.impl().buffer(); }

// [1, 1, N*H*W, C], a view where the memory allows it.
Tensor flattened(const Tensor& tensor) {
    const Shape& shape = tensor.logical_shape();
    TT_FATAL(shape.rank() == 4, "Conv2d: the input must have rank 4, but its shape is {}", to_string(shape));
    if (shape[0] == 1 && shape[1] == 1) {
        return tensor;
    }
    return ttnn::reshape(tensor, Shape{1, 1, shape[0] * shape[1] * shape[2], shape[3]});
}

// Gives the images of a strided conv one channel for each step of the stride.
Tensor fold_input(const Tensor& input, Call& call, bool& is_matmul) {
    const ConvShape& given = call.given;
    if (!folds_stride(given, call.config, input.memory_config(), input.layout())) {
        return input;
    }
    call.shape = folded_shape(given);
    is_matmul = given.kernel == given.stride;
    Tensor images = on_device(input) ? input : ttnn::to_device(input, call.device, MemoryConfig());
    const Shape whole{given.batch, given.input[0], given.input[1], given.in_channels};
    if (images.logical_shape() != whole) {
        images = ttnn::reshape(images, whole);
    }
    const Tensor result = ttnn::fold(images, given.stride[0], given.stride[1], false, std::nullopt, given.padding);
    if (call.config.deallocate_activation && on_device(input) && !input.memory_config().is_dram()) {
        Tensor freed = input;
        freed.deallocate(true);
    }
    return result;
}

// The input where the plan wants it. Frees what it leaves behind, if the config says so.
Tensor shard_input(
    const Tensor& input, const InputPlacement& placement, const Call& call, bool is_matmul, bool auto_shard) {
    Tensor tensor = flattened(input);
    if (!placement.moves) {
        return tensor;
    }
    const bool frees = call.config.deallocate_activation && !tensor.memory_config().is_dram();
    const auto replace = [&](Tensor with) {
        if (frees) {
            tensor.deallocate(true);
            with = sliding::move_with_contents(with);
        }
        tensor = with;
    };
    if (is_matmul && tensor.layout() == Layout::ROW_MAJOR &&
        placement.memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED) {
        replace(ttnn::to_layout(tensor, Layout::TILE));
    }
    if (auto_shard && is_matmul) {
        return tensor;  // the matmul takes it as it is
    }
    const auto& shard = placement.memory.shard_spec()->shape;
    tt::tt_metal::Alignment alignment;
    if (!tensor.is_sharded()) {
        alignment = {shard[0], shard[1]};
    }
    const Tensor target = make_device_tensor(
        TensorSpec(
            tensor.logical_shape(),
            TensorLayout(tensor.dtype(), PageConfig(tensor.layout()), placement.memory, alignment)),
        call.device);
    replace(ttnn::to_memory_config(tensor, placement.memory, std::nullopt, target));
    return tensor;
}

struct Parameters {
    Tensor weights;
    std::optional<Tensor> bias;
};

Parameters prepare(const Tensor& weights, const std::optional<Tensor>& bias, const WeightPlan& plan, const Call& call) {
    const std::uint32_t channels = call.shape.out_channels;
    Parameters ready{weights, bias};
    if (!on_device(weights) || !is_prepared_weights(weights, channels, call.config.weights_dtype)) {
        ready.weights = prepare_weights(on_device(weights) ? ttnn::from_device(weights) : weights, plan, call.device);
    }
    if (bias && (!on_device(*bias) || !is_prepared_bias(*bias, channels, call.config.weights_dtype))) {
        ready.bias = prepare_bias(
            on_device(*bias) ? ttnn::from_device(*bias) : *bias, channels, plan, ready.weights.dtype(), call.device);
    }
    return ready;
}

ttnn::operations::matmul::MatmulProgramConfig matmul_config(const ConvPlan& plan, const Call& call) {
    const tt::tt_metal::CoreCoord grid = plan.output_memory.shard_spec()->grid.bounding_box().grid_size();
    const auto fill = [&](auto config) {
        config.compute_with_storage_grid_size = grid;
        config.in0_block_w = plan.blocks.act_block_w;
        config.out_subblock_h = plan.blocks.out_subblock_h;
        config.out_subblock_w = plan.blocks.out_subblock_w;
        config.out_block_h = plan.out_tiles_h;
        config.out_block_w = plan.out_tiles_w;
        config.per_core_M = plan.out_tiles_h;
        config.per_core_N = plan.out_tiles_w;
        if (call.config.activation) {
            config.fused_activation = *call.config.activation;
        }
        return config;
    };
    if (plan.input.scheme == TensorMemoryLayout::HEIGHT_SHARDED) {
        auto config = fill(ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig{});
        config.fuse_batch = true;
        config.mcast_in0 = false;
        return config;
    }
    auto config = fill(ttnn::operations::matmul::MatmulMultiCoreReuseMultiCastProgramConfig{});
    config.transpose_mcast = plan.input.orientation == tt::tt_metal::ShardOrientation::COL_MAJOR;
    return config;
}

Tensor run_matmul(Tensor input, const Parameters& parameters, const ConvPlan& plan, const Call& call, bool frees) {
    if (input.layout() != Layout::TILE) {
        const Tensor tiled = ttnn::to_layout(input, Layout::TILE);
        if (frees) {
            input.deallocate(true);
        }
        input = tiled;
    }
    const bool sharded = input.is_sharded();
    std::optional<const ttnn::operations::matmul::MatmulProgramConfig> program_config;
    std::optional<const MemoryConfig> memory;
    std::optional<const ttnn::Activation> activation;
    if (sharded) {
        program_config.emplace(matmul_config(plan, call));
        memory.emplace(plan.output_memory);
    } else if (call.config.activation) {
        activation.emplace(*call.config.activation);
    }
    std::optional<const Tensor> bias;
    if (parameters.bias) {
        // One row for all pixels: the rest of its tile is padding, and so are columns behind the last channel.
        const std::uint32_t columns = parameters.bias->padded_shape()[-1];
        bias.emplace(make_view(
            *parameters.bias, spec_with_padding(
                                  Shape{1, 1, 1, call.shape.out_channels}, parameters.bias->dtype(), Layout::TILE,
                                  MemoryConfig(), Shape{1, 1, kTile, columns})));
    }
    Tensor output = ttnn::linear(
        input, parameters.weights, bias, false, false, memory, call.output_dtype, program_config, activation,
        call.compute);
    if (frees) {
        input.deallocate(true);
    }
    return output;
}

class RunningSlicedConv final : public SlicedConv {
public:
    RunningSlicedConv(Arguments arguments, Call call, Tensor& weights, std::optional<Tensor>& bias)
        : SlicedConv(std::move(arguments)), call_(std::move(call)), weights_(weights), bias_(bias) {}

    Tensor run(const Tensor& input, const Rect& output) override {
        Call call = call_;
        call.shape = slice_shape(output);
        call.config.enable_kernel_stride_folding = false;  // of the input: it is done
        // The first slice decides how all of them are sharded, for the weights are prepared once.
        if (!call_.config.shard_layout && input.is_sharded()) {
            call_.config.shard_layout = input.memory_config().memory_layout();
            arguments_.config.shard_layout = call_.config.shard_layout;
        }
        call.config.shard_layout = call_.config.shard_layout;
        call.config.deallocate_activation = true;
        call.config.reallocate_halo_output = true;
        call.config.output_layout = Layout::TILE;
        call.memory_config.reset();
        const Conv2dResult result = conv_in_l1(input, weights_, bias_, call);
        weights_ = std::get<3>(result);
        bias_ = std::get<4>(result);
        return std::get<0>(result);
    }

private:
    Call call_;
    Tensor& weights_;
    std::optional<Tensor>& bias_;
};

}  // namespace

bool on_device(const Tensor& tensor) { return tensor.storage_type() == ttnn::StorageType::DEVICE; }

void check_input(const Tensor& input, const ConvShape& shape) {
    const Shape& logical = input.logical_shape();
    TT_FATAL(logical.rank() == 4, "Conv2d: the input must have rank 4, but its shape is {}", to_string(logical));
    const std::uint64_t pixels = std::uint64_t{shape.batch} * shape.input[0] * shape.input[1];
    TT_FATAL(
        std::uint64_t{logical[0]} * logical[1] * logical[2] == pixels && logical[3] >= shape.in_channels,
        "Conv2d: an input of shape {} is no batch of {} images of {}x{} with {} channels", to_string(logical),
        shape.batch, shape.input[0], shape.input[1], shape.in_channels);
}

Conv2dResult conv_in_l1(
    const Tensor& given_input, const Tensor& weights, const std::optional<Tensor>& bias, Call call) {
    const DataType weights_dtype = call.config.weights_dtype.value_or(weights.dtype());
    bool is_matmul = call.shape.is_matmul(call.config);
    Tensor input = fold_input(given_input, call, is_matmul);
    if (!on_device(input)) {
        input = ttnn::to_device(input, call.device, MemoryConfig());
    }
    if (call.config.enable_activation_reuse) {
        call.config.enable_act_double_buffer = false;
        call.config.enable_weights_double_buffer = false;
    }
    const bool has_bias = bias.has_value();
    const bool auto_shard = !input.is_sharded() && !call.config.shard_layout;
    if (auto_shard) {
        call.config.weights_dtype = weights_dtype;
        choose_shard_layout(
            call.shape, call.config, call.compute, input.dtype(), call.output_dtype, input.layout(), is_matmul,
            has_bias, *call.device);
    }
    const bool frees = call.config.deallocate_activation && !input.memory_config().is_dram();
    const InputPlacement placement =
        place_input(call.shape, input.memory_config(), input.layout(), call.config, is_matmul, *call.device);
    const Tensor placed = shard_input(input, placement, call, is_matmul, auto_shard);

    const ParallelConfig parallel = sliding::parallel_config_of(placement.memory);
    const std::uint32_t alignment = channels_alignment(
        placed.memory_config().memory_layout(), placed.layout(), false, is_matmul, placed.memory_config());
    const auto channels = static_cast<std::uint32_t>(
        round_up(call.shape.in_channels, std::size_t{parallel.cores_channels()} * alignment));
    const ConvPlan plan = make_plan(
        call.shape, parallel, channels, call.config, call.compute, call.device->compute_with_storage_grid_size(),
        is_matmul, has_bias, placed.dtype());
    const WeightPlan weight_layout = weight_plan(call.given, call.shape, plan, call.config, is_matmul && auto_shard);
    const Parameters parameters = prepare(weights, bias, weight_layout, call);

    Tensor output;
    if (is_matmul) {
        output = run_matmul(placed, parameters, plan, call, frees);
    } else {
        // An input of the caller stays, unless it is to be freed; one that was made here goes.
        const bool stays = !call.config.deallocate_activation && same_memory(placed, given_input);
        output = run_conv(
            placed, parameters.weights, parameters.bias,
            {call.shape, plan, weight_layout, call.config, call.compute, call.output_dtype}, stays);
    }
    if (call.memory_config && *call.memory_config != output.memory_config()) {
        output = ttnn::to_memory_config(output, *call.memory_config);
    }
    const Pair size = call.shape.output();
    return {output, size[0], size[1], parameters.weights, parameters.bias};
}

Conv2dResult conv_in_dram(
    const Tensor& given_input, const Tensor& weights, const std::optional<Tensor>& bias, Call call,
    const std::optional<const SliceConfig>& slice_config) {
    TT_FATAL(
        !call.config.override_output_sharding_config,
        "Conv2D DRAM slicing doesn't support override_output_sharding_config.");
    bool is_matmul = call.shape.is_matmul(call.config);
    Tensor input = fold_input(given_input, call, is_matmul);
    if (!on_device(input)) {
        input = ttnn::to_device(input, call.device, MemoryConfig());
    }
    if (is_matmul) {
        call.config.enable_kernel_stride_folding = false;
        return conv_in_l1(input, weights, bias, call);
    }
    TT_FATAL(
        !(call.config.output_layout == Layout::ROW_MAJOR && call.output_dtype == DataType::BFLOAT8_B),
        "Conv output can't be in Row Major if output dtype is BFloat8_B.");
    TT_FATAL(input.memory_config().is_dram(), "Conv DRAM expects the input tensor to be in DRAM.");
    TT_FATAL(!input.is_sharded(), "Input Tensor to Conv DRAM should be in Interleaved Memory Layout");
    call.config.weights_dtype = call.config.weights_dtype.value_or(weights.dtype());
    const Pair out = call.shape.output();
    Tensor ready_weights = weights;
    std::optional<Tensor> ready_bias = bias;
    RunningSlicedConv op(
        {call.shape, input.layout(), input.dtype(), call.output_dtype, bias.has_value(), call.config, call.compute,
         call.device},
        call, ready_weights, ready_bias);
    const TensorSpec spec(
        Shape{1, 1, call.shape.batch * out[0] * out[1], call.shape.out_channels},
        TensorLayout(call.output_dtype, PageConfig(call.config.output_layout), MemoryConfig()));
    Tensor output = sliding::run_sliced(
        flattened(input), {call.shape.batch, call.shape.input, out, spec}, op,
        slice_config ? std::optional<SliceConfig>(*slice_config) : std::nullopt);
    if (output.layout() != call.config.output_layout) {
        output = ttnn::to_layout(output, call.config.output_layout);
    }
    return {output, out[0], out[1], ready_weights, ready_bias};
}

}  // namespace ttnn_cpu::conv_op
