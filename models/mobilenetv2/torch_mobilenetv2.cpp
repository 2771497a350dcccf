// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/torch_mobilenetv2.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "zoo/torch_tensor.hpp"

namespace zoo::mobilenetv2::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

at::Tensor conv_norm(
    const Config& config, const ConvNormWeights& weights, const at::Tensor& x, std::int64_t stride = 1) {
    const at::Tensor weight = torch_view(weights.conv.weight);
    const std::int64_t padding = weight.size(2) / 2;
    const std::int64_t groups = x.size(1) / weight.size(1);
    const at::Tensor sums = at::conv2d(x, weight, at::Tensor(), {stride, stride}, {padding, padding}, {1, 1}, groups);
    const BatchNormWeights& norm = weights.norm;
    return at::batch_norm(
        sums, torch_view(norm.weight), torch_view(norm.bias), torch_view(norm.running_mean),
        torch_view(norm.running_var), false, 0.0, config.batch_norm_eps, false);
}

// ReLU6, in place. at::relu6 would be found as well.
at::Tensor clamped(at::Tensor x) { return x.clamp_(0.0, 6.0); }

at::Tensor stem(const Config& config, const ConvNormWeights& weights, const at::Tensor& images) {
    const TorchScope scope(__func__);
    return clamped(conv_norm(config, weights, images, 2));
}

at::Tensor inverted_residual(
    const Config& config, const BlockWeights& weights, const BlockShape& shape, const at::Tensor& x) {
    const TorchScope scope(__func__);
    at::Tensor inner = weights.expand ? clamped(conv_norm(config, *weights.expand, x)) : x;
    inner = clamped(conv_norm(config, weights.depthwise, inner, shape.stride));
    const at::Tensor out = conv_norm(config, weights.project, inner);
    return shape.residual() ? x + out : out;
}

at::Tensor features(const Config& config, const Weights& weights, const at::Tensor& images) {
    const TorchScope scope(__func__);
    at::Tensor x = stem(config, weights.stem, images);
    const std::vector<BlockShape> shapes = config.blocks();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        x = inverted_residual(config, weights.blocks[i], shapes[i], x);
    }
    return clamped(conv_norm(config, weights.last, x));
}

at::Tensor classifier(const LinearWeights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    return at::linear(x.mean({2, 3}), torch_view(weights.weight), torch_view(weights.bias));
}

}  // namespace
}  // namespace network

HostTensor stem(const Config& config, const ConvNormWeights& weights, const HostTensor& images) {
    return from_torch(network::stem(config, weights, torch_view(images)));
}

HostTensor inverted_residual(
    const Config& config, const BlockWeights& weights, const BlockShape& shape, const HostTensor& x) {
    return from_torch(network::inverted_residual(config, weights, shape, torch_view(x)));
}

HostTensor features(const Config& config, const Weights& weights, const HostTensor& images) {
    return from_torch(network::features(config, weights, torch_view(images)));
}

HostTensor classifier(const Config&, const LinearWeights& weights, const HostTensor& x) {
    return from_torch(network::classifier(weights, torch_view(x)));
}

HostTensor mobilenetv2(const Config& config, const Weights& weights, const HostTensor& images) {
    validate_images("mobilenetv2", images, config.size());
    return from_torch(network::classifier(weights.classifier, network::features(config, weights, torch_view(images))));
}

namespace {

// A convolution with its batch norm folded in, in the order of memory that libtorch is fastest with.
struct Folded {
    at::Tensor weight;
    at::Tensor bias;

    Folded(const Config& config, const ConvNormWeights& weights) {
        const ConvWeights folded =
            fold_batch_norm(weights.conv, weights.norm, static_cast<float>(config.batch_norm_eps));
        weight = torch_view(folded.weight).clone(at::MemoryFormat::ChannelsLast);
        bias = torch_view(*folded.bias).clone();
    }

    [[nodiscard]] at::Tensor operator()(const at::Tensor& x, std::int64_t stride = 1) const {
        const std::int64_t padding = weight.size(2) / 2;
        return at::conv2d(x, weight, bias, {stride, stride}, {padding, padding}, {1, 1}, x.size(1) / weight.size(1));
    }
};

struct FoldedBlock {
    std::optional<Folded> expand;
    Folded depthwise;
    Folded project;
    BlockShape shape;
};

}  // namespace

std::function<HostTensor()> fastest(const Config& config, const Weights& weights, const HostTensor& images) {
    using network::clamped;
    std::vector<FoldedBlock> blocks;
    const std::vector<BlockShape> shapes = config.blocks();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const BlockWeights& block = weights.blocks[i];
        blocks.push_back(
            {.expand = block.expand ? std::optional(Folded(config, *block.expand)) : std::nullopt,
             .depthwise = Folded(config, block.depthwise),
             .project = Folded(config, block.project),
             .shape = shapes[i]});
    }
    return [blocks, stem = Folded(config, weights.stem), last = Folded(config, weights.last),
            weight = torch_view(weights.classifier.weight).clone(), bias = torch_view(weights.classifier.bias).clone(),
            input = torch_view(images).clone(at::MemoryFormat::ChannelsLast)] {
        at::Tensor x = clamped(stem(input, 2));
        for (const FoldedBlock& block : blocks) {
            at::Tensor inner = block.expand ? clamped((*block.expand)(x)) : x;
            inner = clamped(block.depthwise(inner, block.shape.stride));
            inner = block.project(inner);
            x = block.shape.residual() ? inner.add_(x) : inner;
        }
        return from_torch(at::linear(clamped(last(x)).mean({2, 3}), weight, bias));
    };
}

}  // namespace zoo::mobilenetv2::golden
