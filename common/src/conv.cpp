// SPDX-License-Identifier: Apache-2.0
#include "zoo/conv.hpp"

#include <stdexcept>
#include <tuple>
#include <utility>

#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"
#include "zoo/preprocess.hpp"

namespace zoo {
namespace {

template <typename T>
std::optional<const T> as_const(const std::optional<T>& value) {
    return value ? std::optional<const T>(*value) : std::nullopt;
}

// How many windows fit along one side. With ceil_mode one more may start inside the image, though it ends outside.
std::uint32_t pooled(
    std::uint32_t size, std::uint32_t kernel, std::uint32_t stride, std::uint32_t before, std::uint32_t after,
    std::uint32_t dilation, bool ceil_mode) {
    const std::uint32_t span = size + before + after - dilation * (kernel - 1) - 1;
    std::uint32_t count = (ceil_mode ? span + stride - 1 : span) / stride + 1;
    if (ceil_mode && (count - 1) * stride >= size + before) {
        --count;
    }
    return count;
}

FeatureMap pooled_map(
    ttnn::Tensor tensor, const FeatureMap& input, const Pair& kernel, const Pair& stride, const Sides& padding,
    const Pair& dilation, bool ceil_mode) {
    // Pools in slices do not flatten their pictures.
    const ttnn::Shape& shape = tensor.logical_shape();
    const ttnn::Shape flat{1, 1, shape[0] * shape[1] * shape[2], shape[3]};
    return {
        .tensor = shape == flat ? std::move(tensor) : ttnn::reshape(tensor, flat),
        .batch = input.batch,
        .height = pooled(input.height, kernel[0], stride[0], padding[0], padding[1], dilation[0], ceil_mode),
        .width = pooled(input.width, kernel[1], stride[1], padding[2], padding[3], dilation[1], ceil_mode),
        .channels = input.channels};
}

// Where a convolution does not fit, the library says which sizes meet; this says of which convolution.
template <class Run>
auto named(const FeatureMap& input, const ConvParameters& parameters, const Run& run) {
    try {
        return run();
    } catch (const std::runtime_error& error) {
        const Pair kernel = parameters.kernel();
        fail(
            "conv2d", kernel[0], "x", kernel[1], " from ", input.channels, " to ", parameters.out_channels(),
            " channels on ", input.batch, input.batch == 1 ? " map" : " maps", " of ", input.width, " x ", input.height,
            ": ", error.what());
    }
}

}  // namespace

struct ConvParameters::State {
    // What the layout on the device depends on, besides the weights.
    struct Layout {
        std::uint32_t batch = 0;
        std::uint32_t height = 0;
        std::uint32_t width = 0;
        ttnn::MemoryConfig input_memory;
        ttnn::Layout input_layout = ttnn::Layout::TILE;  // decides how channels are padded
        std::optional<ttnn::TensorMemoryLayout> shard_layout;
        bool operator==(const Layout&) const = default;
    };

    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    Shape shape;
    ttnn::Tensor host_weight;
    std::optional<ttnn::Tensor> host_bias;
    std::optional<Layout> layout;  // of what follows
    ttnn::Tensor weight;
    std::optional<ttnn::Tensor> bias;
};

ConvParameters::ConvParameters(const ConvWeights& weights, ttnn::DataType dtype) : state_(std::make_shared<State>()) {
    if (weights.weight.shape.size() != 4) {
        fail("ConvParameters", "weight is ", to_string(weights.weight.shape), "; it must have 4 dimensions");
    }
    // conv2d rounds to the block formats itself.
    const auto host_dtype = dtype == ttnn::DataType::BFLOAT16 ? dtype : ttnn::DataType::FLOAT32;
    state_->dtype = dtype;
    state_->shape = weights.weight.shape;
    state_->host_weight = preprocess_conv2d_weight(weights.weight, host_dtype);
    if (weights.bias) {
        state_->host_bias = preprocess_conv2d_bias(*weights.bias, host_dtype);
    }
}

ttnn::DataType ConvParameters::dtype() const { return state_->dtype; }
std::uint32_t ConvParameters::out_channels() const { return static_cast<std::uint32_t>(state_->shape[0]); }
std::uint32_t ConvParameters::group_channels() const { return static_cast<std::uint32_t>(state_->shape[1]); }
Pair ConvParameters::kernel() const {
    return {static_cast<std::uint32_t>(state_->shape[2]), static_cast<std::uint32_t>(state_->shape[3])};
}

// Reaches into the parameters, which no other code needs to.
struct ConvCall {
    static FeatureMap run(const FeatureMap& input, const ConvParameters& parameters, const Conv2dArgs& args) {
        if (!parameters.state_) {
            fail("conv2d", "the parameters are empty");
        }
        ConvParameters::State& state = *parameters.state_;
        const std::uint32_t per_group = parameters.group_channels();
        if (input.channels % per_group != 0) {
            fail(
                "conv2d", "the input has ", input.channels, " channels; the weight ", to_string(state.shape),
                " takes a multiple of ", per_group);
        }
        ttnn::Conv2dConfig config = args.config;
        config.weights_dtype = state.dtype;
        const ConvParameters::State::Layout layout{input.batch,           input.height,
                                                   input.width,           input.tensor.memory_config(),
                                                   input.tensor.layout(), config.shard_layout};
        const bool ready = state.layout == layout;
        const auto run = [&](const ttnn::Tensor& weight, const std::optional<ttnn::Tensor>& bias) {
            return ttnn::conv2d(
                input.tensor, weight, input.tensor.device(), input.channels, parameters.out_channels(), input.batch,
                input.height, input.width, parameters.kernel(), args.stride, args.padding, args.dilation,
                /*groups=*/input.channels / per_group, as_const(args.dtype), as_const(bias), config,
                as_const(args.compute_kernel_config), as_const(args.memory_config), as_const(args.slice_config),
                /*return_output_dim=*/true, /*return_weights_and_bias=*/true);
        };
        using Result = std::tuple<
            ttnn::Tensor, std::tuple<ttnn::OutputHeight, ttnn::OutputWidth>,
            std::tuple<ttnn::Tensor, std::optional<ttnn::Tensor>>>;
        auto [tensor, size, prepared] = std::get<Result>(named(input, parameters, [&] {
            return ready ? run(state.weight, state.bias) : run(state.host_weight, state.host_bias);
        }));
        if (!ready) {
            std::tie(state.weight, state.bias) = std::move(prepared);
            state.layout = layout;
        }
        return {
            .tensor = std::move(tensor),
            .batch = input.batch,
            .height = std::get<0>(size),
            .width = std::get<1>(size),
            .channels = parameters.out_channels()};
    }
};

FeatureMap conv2d(const FeatureMap& input, const ConvParameters& parameters, const Conv2dArgs& args) {
    return ConvCall::run(input, parameters, args);
}

FeatureMap max_pool2d(const FeatureMap& input, const MaxPool2dArgs& args) {
    ttnn::Tensor result = ttnn::max_pool2d(
                              input.tensor, input.batch, input.height, input.width, input.channels, args.kernel,
                              args.stride, args.padding, args.dilation, args.ceil_mode, as_const(args.memory_config),
                              args.slice_config, args.shard_layout, args.deallocate_input, args.reallocate_halo_output,
                              /*return_indices=*/false, args.dtype, args.output_layout, args.config_tensors_in_dram)
                              .front();
    return pooled_map(std::move(result), input, args.kernel, args.stride, args.padding, args.dilation, args.ceil_mode);
}

FeatureMap avg_pool2d(const FeatureMap& input, const AvgPool2dArgs& args) {
    ttnn::Tensor result = ttnn::avg_pool2d(
        input.tensor, input.batch, input.height, input.width, input.channels, args.kernel, args.stride, args.padding,
        args.ceil_mode, args.count_include_pad, args.divisor, as_const(args.memory_config), args.slice_config,
        args.shard_layout, args.compute_kernel_config, args.deallocate_input, args.reallocate_halo_output, args.dtype,
        args.output_layout, args.config_tensors_in_dram);
    return pooled_map(std::move(result), input, args.kernel, args.stride, args.padding, square(1), args.ceil_mode);
}

FeatureMap global_avg_pool2d(const FeatureMap& input, AvgPool2dArgs args) {
    args.kernel = {input.height, input.width};
    args.stride = square(1);
    args.padding = all_sides(0);
    return avg_pool2d(input, args);
}

FeatureMap upsample(const FeatureMap& input, const UpsampleArgs& args) {
    const ttnn::Tensor images =
        ttnn::reshape(input.tensor, ttnn::Shape{input.batch, input.height, input.width, input.channels});
    const std::uint32_t height = input.height * static_cast<std::uint32_t>(args.scale[0]);
    const std::uint32_t width = input.width * static_cast<std::uint32_t>(args.scale[1]);
    const ttnn::Tensor result =
        ttnn::upsample(images, args.scale, args.mode, args.memory_config, args.compute_kernel_config);
    return {
        .tensor = ttnn::reshape(result, ttnn::Shape{1, 1, input.batch * height * width, input.channels}),
        .batch = input.batch,
        .height = height,
        .width = width,
        .channels = input.channels};
}

}  // namespace zoo
