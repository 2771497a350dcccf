// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/torch_resnet.hpp"

#include <ATen/ATen.h>

#include <optional>

#include "models/resnet/images.hpp"
#include "zoo/conv_weights.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::resnet::golden {

// The network itself, on torch's tensors. The public functions below only convert.
namespace network {
namespace {

at::Tensor conv_norm(const Config& config, const ConvNorm& weights, const at::Tensor& x, std::int64_t stride) {
    const std::int64_t padding = weights.conv.weight.shape[2] / 2;
    const std::optional<HostTensor>& bias = weights.conv.bias;
    const at::Tensor sums = at::conv2d(
        x, torch_view(weights.conv.weight), bias ? torch_view(*bias) : at::Tensor(), {stride, stride},
        {padding, padding});
    const BatchNormWeights& norm = weights.norm;
    return at::batch_norm(
        sums, torch_view(norm.weight), torch_view(norm.bias), torch_view(norm.running_mean),
        torch_view(norm.running_var), false, 0.0, config.batch_norm_eps, false);
}

at::Tensor stem(const Config& config, const ConvNorm& weights, const at::Tensor& images) {
    const TorchScope scope(__func__);
    at::Tensor x = conv_norm(config, weights, images, config.small_images ? 1 : 2).relu_();
    return config.small_images ? x : at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
}

at::Tensor with_residual(
    const Config& config, const BlockWeights& weights, std::int64_t stride, const at::Tensor& x, at::Tensor out) {
    return out.add_(weights.downsample ? conv_norm(config, *weights.downsample, x, stride) : x).relu_();
}

at::Tensor basic_block(const Config& config, const BlockWeights& weights, std::int64_t stride, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const at::Tensor inner = conv_norm(config, weights.conv1, x, stride).relu_();
    return with_residual(config, weights, stride, x, conv_norm(config, weights.conv2, inner, 1));
}

at::Tensor bottleneck(const Config& config, const BlockWeights& weights, std::int64_t stride, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const std::int64_t first = config.downsample_in_bottleneck ? stride : 1;
    at::Tensor inner = conv_norm(config, weights.conv1, x, first).relu_();
    inner = conv_norm(config, weights.conv2, inner, stride / first).relu_();
    return with_residual(config, weights, stride, x, conv_norm(config, weights.conv3.value(), inner, 1));
}

at::Tensor layer(const Config& config, const std::vector<BlockWeights>& blocks, std::size_t stage, at::Tensor x) {
    const TorchScope scope(__func__);
    std::int64_t stride = Config::stride(stage);
    for (const BlockWeights& block : blocks) {
        x = config.bottleneck() ? bottleneck(config, block, stride, x) : basic_block(config, block, stride, x);
        stride = 1;
    }
    return x;
}

at::Tensor head(const Linear& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    return at::linear(x.mean({2, 3}), torch_view(weights.weight), torch_view(weights.bias));
}

}  // namespace
}  // namespace network

HostTensor stem(const Config& config, const ConvNorm& weights, const HostTensor& images) {
    return from_torch(network::stem(config, weights, torch_view(images)));
}

HostTensor basic_block(const Config& config, const BlockWeights& weights, std::uint32_t stride, const HostTensor& x) {
    return from_torch(network::basic_block(config, weights, stride, torch_view(x)));
}

HostTensor bottleneck(const Config& config, const BlockWeights& weights, std::uint32_t stride, const HostTensor& x) {
    return from_torch(network::bottleneck(config, weights, stride, torch_view(x)));
}

HostTensor layer(
    const Config& config, const std::vector<BlockWeights>& blocks, std::size_t stage, const HostTensor& x) {
    return from_torch(network::layer(config, blocks, stage, torch_view(x)));
}

HostTensor head(const Config&, const Linear& weights, const HostTensor& x) {
    return from_torch(network::head(weights, torch_view(x)));
}

HostTensor resnet(const Config& config, const Weights& weights, const HostTensor& images) {
    validate(config, images);
    at::Tensor x = network::stem(config, weights.stem, torch_view(images));
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        x = network::layer(config, weights.layers[stage], stage, x);
    }
    return from_torch(network::head(weights.fc, x));
}

namespace {

// One folded convolution in oneDNN's layout.
struct FastConv {
    FastConv(const Config& config, const ConvNorm& weights, std::int64_t step) : stride(step) {
        const ConvWeights folded =
            fold_batch_norm(weights.conv, weights.norm, static_cast<float>(config.batch_norm_eps));
        padding = folded.weight.shape[2] / 2;
        weight = at::mkldnn_reorder_conv2d_weight(
            torch_view(folded.weight).to_mkldnn(), {padding, padding}, {stride, stride}, {1, 1}, 1);
        bias = torch_view(*folded.bias).to_mkldnn();
    }

    [[nodiscard]] at::Tensor operator()(const at::Tensor& x) const {
        return at::mkldnn_convolution(x, weight, bias, {padding, padding}, {stride, stride}, {1, 1}, 1);
    }

    std::int64_t stride;
    std::int64_t padding = 0;
    at::Tensor weight;
    at::Tensor bias;
};

struct FastBlock {
    std::vector<FastConv> inner;  // all but the last are followed by ReLU
    std::optional<FastConv> downsample;
};

FastBlock fast_block(const Config& config, const BlockWeights& weights, std::int64_t stride) {
    FastBlock block;
    const std::int64_t first = !config.bottleneck() || config.downsample_in_bottleneck ? stride : 1;
    block.inner.emplace_back(config, weights.conv1, first);
    block.inner.emplace_back(config, weights.conv2, stride / first);
    if (weights.conv3) {
        block.inner.emplace_back(config, *weights.conv3, 1);
    }
    if (weights.downsample) {
        block.downsample.emplace(config, *weights.downsample, stride);
    }
    return block;
}

at::Tensor run(const FastBlock& block, const at::Tensor& x) {
    at::Tensor out = x;
    for (std::size_t i = 0; i < block.inner.size(); ++i) {
        out = block.inner[i](out);
        if (i + 1 < block.inner.size()) {
            out = out.relu_();
        }
    }
    return out.add_(block.downsample ? (*block.downsample)(x) : x).relu_();
}

}  // namespace

std::function<HostTensor(const HostTensor& images)> fast_resnet(const Config& config, const Weights& weights) {
    const FastConv first(config, weights.stem, config.small_images ? 1 : 2);
    std::vector<FastBlock> blocks;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        std::int64_t stride = Config::stride(stage);
        for (const BlockWeights& block : weights.layers[stage]) {
            blocks.push_back(fast_block(config, block, stride));
            stride = 1;
        }
    }
    return [config, first, blocks, fc = weights.fc](const HostTensor& images) {
        validate(config, images);
        at::Tensor x = first(torch_view(images).to_mkldnn()).relu_();
        if (!config.small_images) {
            x = at::max_pool2d(x, {3, 3}, {2, 2}, {1, 1});
        }
        for (const FastBlock& block : blocks) {
            x = run(block, x);
        }
        return from_torch(network::head(fc, x.to_dense()));
    };
}

}  // namespace zoo::resnet::golden
