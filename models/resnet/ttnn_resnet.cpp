// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/ttnn_resnet.hpp"

#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "zoo/op_args.hpp"

namespace zoo::resnet::functional {
namespace {

FeatureMap convolution(const ConvParameters& parameters, std::uint32_t stride, const FeatureMap& x) {
    return conv2d(x, parameters, {.stride = square(stride), .padding = all_sides(parameters.kernel()[0] / 2)});
}

FeatureMap relu(FeatureMap x) {
    x.tensor = ttnn::relu(x.tensor);
    return x;
}

FeatureMap with_residual(
    const BlockParameters& parameters, std::uint32_t stride, const FeatureMap& x, const FeatureMap& inner) {
    const FeatureMap shortcut = parameters.downsample ? convolution(*parameters.downsample, stride, x) : x;
    FeatureMap out = inner;
    out.tensor = ttnn::relu(ttnn::add(inner.tensor, shortcut.tensor));
    return out;
}

}  // namespace

FeatureMap stem(const Config& config, const ConvParameters& parameters, const FeatureMap& images) {
    const FeatureMap x = relu(convolution(parameters, config.small_images ? 1 : 2, images));
    if (config.small_images) {
        return x;
    }
    FeatureMap pooled = max_pool2d(
        x,
        {.kernel = square(3), .stride = square(2), .padding = all_sides(1), .memory_config = ttnn::DRAM_MEMORY_CONFIG});
    pooled.tensor = ttnn::to_layout(pooled.tensor, ttnn::Layout::TILE);
    return pooled;
}

FeatureMap basic_block(const Config&, const BlockParameters& parameters, std::uint32_t stride, const FeatureMap& x) {
    const FeatureMap inner = relu(convolution(parameters.conv1, stride, x));
    return with_residual(parameters, stride, x, convolution(parameters.conv2, 1, inner));
}

FeatureMap bottleneck(
    const Config& config, const BlockParameters& parameters, std::uint32_t stride, const FeatureMap& x) {
    const std::uint32_t first = config.downsample_in_bottleneck ? stride : 1;
    FeatureMap inner = relu(convolution(parameters.conv1, first, x));
    inner = relu(convolution(parameters.conv2, stride / first, inner));
    return with_residual(parameters, stride, x, convolution(parameters.conv3.value(), 1, inner));
}

FeatureMap layer(
    const Config& config, const std::vector<BlockParameters>& blocks, std::size_t stage, const FeatureMap& x) {
    FeatureMap out = x;
    std::uint32_t stride = Config::stride(stage);
    for (const BlockParameters& block : blocks) {
        out = config.bottleneck() ? bottleneck(config, block, stride, out) : basic_block(config, block, stride, out);
        stride = 1;
    }
    return out;
}

ttnn::Tensor head(const Config&, const LinearParameters& parameters, const FeatureMap& x) {
    const FeatureMap mean = global_avg_pool2d(x, {.memory_config = ttnn::DRAM_MEMORY_CONFIG});
    return linear(ttnn::to_layout(mean.tensor, ttnn::Layout::TILE), parameters.weight, {.bias = parameters.bias});
}

ttnn::Tensor resnet(const Config& config, const Parameters& parameters, const FeatureMap& images) {
    FeatureMap x = stem(config, parameters.stem, images);
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        x = layer(config, parameters.layers[stage], stage, x);
    }
    return head(config, parameters.fc, x);
}

}  // namespace zoo::resnet::functional
