// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/ttnn_optimized_resnet.hpp"

#include <array>
#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "zoo/op_args.hpp"

namespace zoo::resnet::optimized {
namespace {

using ttnn::operations::unary::EltwiseUnaryWithParam;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

const ttnn::MemoryConfig kL1{ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1};
const ttnn::Conv2dSliceConfig kWholeInL1{.slice_type = ttnn::Conv2dSliceConfig::SliceType::L1_FULL, .num_slices = 1};

struct ConvStep {
    std::uint32_t stride = 1;
    bool relu = false;
    bool consume = false;  // frees the input
    bool reshard = false;  // the input comes from another stage
};

FeatureMap convolution(
    const ConvParameters& parameters, const Placement& place, std::size_t stage, const ConvStep& step,
    const FeatureMap& x) {
    const Placement::Stage& placed = place.stages[stage];
    const std::uint32_t kernel = parameters.kernel()[0];
    Conv2dArgs args{
        .stride = square(step.stride),
        .padding = all_sides(kernel / 2),
        .dtype = place.activation_dtype,
        .config = kernel == 1 ? placed.pointwise : placed.window,
        .compute_kernel_config = place.conv_kernel};
    if (step.relu) {
        args.config.activation = UnaryWithParam(UnaryOpType::RELU);
    }
    args.config.deallocate_activation = step.consume;
    args.config.reshard_if_not_optimal = step.reshard;
    return conv2d(x, parameters, args);
}

// inner + shortcut(x), ReLU, in place. Consumes both.
FeatureMap with_residual(
    const BlockParameters& parameters, const Placement& place, std::size_t stage, std::uint32_t stride, bool reshard,
    FeatureMap x, FeatureMap inner) {
    ttnn::Tensor shortcut = x.tensor;
    if (parameters.downsample) {
        shortcut = convolution(
                       *parameters.downsample, place, stage, {.stride = stride, .consume = true, .reshard = reshard}, x)
                       .tensor;
    }
    if (shortcut.memory_config() != inner.tensor.memory_config()) {
        const ttnn::Tensor moved = ttnn::to_memory_config(shortcut, inner.tensor.memory_config());
        ttnn::deallocate(shortcut);
        shortcut = moved;
    }
    const std::array relu{EltwiseUnaryWithParam(UnaryOpType::RELU)};
    inner.tensor = ttnn::add_(inner.tensor, shortcut, relu);
    ttnn::deallocate(shortcut);
    return inner;
}

}  // namespace

FeatureMap stem(
    const Config& config, const ConvParameters& parameters, const Placement& place, const FeatureMap& images) {
    FeatureMap x = conv2d(
        images, parameters,
        {.stride = square(config.small_images ? 1 : 2),
         .padding = all_sides(parameters.kernel()[0] / 2),
         .dtype = place.activation_dtype,
         .config = place.stem,
         .compute_kernel_config = place.conv_kernel,
         .slice_config = kWholeInL1});
    if (config.small_images) {
        return x;
    }
    return max_pool2d(
        x, {.kernel = square(3),
            .stride = square(2),
            .padding = all_sides(1),
            .deallocate_input = true,
            .dtype = place.activation_dtype,
            .output_layout = ttnn::Layout::TILE});
}

FeatureMap basic_block(
    const Config&, const BlockParameters& parameters, const Placement& place, std::size_t stage, std::uint32_t stride,
    FeatureMap x) {
    const bool reshard = parameters.downsample.has_value();
    FeatureMap inner =
        convolution(parameters.conv1, place, stage, {.stride = stride, .relu = true, .reshard = reshard}, x);
    inner = convolution(parameters.conv2, place, stage, {.consume = true}, inner);
    return with_residual(parameters, place, stage, stride, reshard, std::move(x), std::move(inner));
}

FeatureMap bottleneck(
    const Config& config, const BlockParameters& parameters, const Placement& place, std::size_t stage,
    std::uint32_t stride, FeatureMap x) {
    const bool reshard = parameters.downsample.has_value();
    const std::uint32_t first = config.downsample_in_bottleneck ? stride : 1;
    FeatureMap inner =
        convolution(parameters.conv1, place, stage, {.stride = first, .relu = true, .reshard = reshard}, x);
    inner = convolution(
        parameters.conv2, place, stage, {.stride = stride / first, .relu = true, .consume = true, .reshard = reshard},
        inner);
    inner = convolution(parameters.conv3.value(), place, stage, {.consume = true}, inner);
    return with_residual(parameters, place, stage, stride, reshard, std::move(x), std::move(inner));
}

FeatureMap layer(
    const Config& config, const std::vector<BlockParameters>& blocks, const Placement& place, std::size_t stage,
    FeatureMap x) {
    std::uint32_t stride = Config::stride(stage);
    for (const BlockParameters& block : blocks) {
        x = config.bottleneck() ? bottleneck(config, block, place, stage, stride, std::move(x))
                                : basic_block(config, block, place, stage, stride, std::move(x));
        stride = 1;
    }
    return x;
}

ttnn::Tensor head(const Config&, const LinearParameters& parameters, const Placement& place, FeatureMap x) {
    if (x.tensor.memory_config() != place.last) {
        const ttnn::Tensor moved = ttnn::to_memory_config(x.tensor, place.last);
        ttnn::deallocate(x.tensor);
        x.tensor = moved;
    }
    const FeatureMap means = global_avg_pool2d(
        x, {.compute_kernel_config = place.head_kernel,
            .deallocate_input = true,
            .dtype = place.head_dtype,
            .output_layout = ttnn::Layout::TILE});
    ttnn::Tensor features = ttnn::to_memory_config(means.tensor, kL1);
    ttnn::Tensor logits = linear(
        features, parameters.weight,
        {.bias = parameters.bias,
         .memory_config = kL1,
         .dtype = place.head_dtype,
         .program_config = place.classifier,
         .compute_kernel_config = place.head_kernel});
    ttnn::deallocate(features);
    return logits;
}

ttnn::Tensor resnet(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images) {
    FeatureMap x = stem(config, parameters.stem, place, images);
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        x = layer(config, parameters.layers[stage], place, stage, std::move(x));
    }
    return head(config, parameters.fc, place, std::move(x));
}

}  // namespace zoo::resnet::optimized
