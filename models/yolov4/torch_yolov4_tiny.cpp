// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/torch_yolov4_tiny.hpp"

#include "models/yolov4/torch_layers.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::yolov4::golden {

namespace network {
namespace {

struct Maps {
    at::Tensor inner;
    at::Tensor pooled;
};

Maps tiny_block(const TinyBlockWeights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const at::Tensor x1 = conv(weights.conv1, x);
    const at::Tensor x2 = conv(weights.conv2, x1.slice(1, x1.size(1) / 2));
    const at::Tensor x3 = conv(weights.conv3, x2);
    const at::Tensor x4 = conv(weights.conv4, at::cat({x3, x2}, 1));
    return {x4, at::max_pool2d(at::cat({x1, x4}, 1), {2, 2}, 2)};
}

std::array<at::Tensor, 2> tiny_head(const TinyHeadWeights& weights, const at::Tensor& pooled, const at::Tensor& inner) {
    const TorchScope scope(__func__);
    const at::Tensor x2 = conv(weights.conv2, conv(weights.conv1, pooled));
    const at::Tensor coarse = conv(weights.conv4, conv(weights.conv3, x2));
    const at::Tensor joined = at::cat({upsample(conv(weights.conv5, x2)), inner}, 1);
    return {coarse, conv(weights.conv7, conv(weights.conv6, joined))};
}

}  // namespace

std::vector<at::Tensor> yolov4_tiny(const TinyWeights& weights, const at::Tensor& picture) {
    const Maps block1 = tiny_block(weights.block1, conv(weights.conv2, conv(weights.conv1, picture)));
    const Maps block2 = tiny_block(weights.block2, block1.pooled);
    const Maps block3 = tiny_block(weights.block3, block2.pooled);
    const auto maps = tiny_head(weights.head, block3.pooled, block3.inner);
    return {maps.begin(), maps.end()};
}

}  // namespace network

TinyMaps tiny_block(const TinyBlockWeights& weights, const HostTensor& x) {
    const network::Maps maps = network::tiny_block(weights, torch_view(x));
    return {from_torch(maps.inner), from_torch(maps.pooled)};
}

std::array<HostTensor, 2> tiny_head(const TinyHeadWeights& weights, const HostTensor& pooled, const HostTensor& inner) {
    const auto maps = network::tiny_head(weights, torch_view(pooled), torch_view(inner));
    return {from_torch(maps[0]), from_torch(maps[1])};
}

std::vector<HostTensor> yolov4_tiny(const TinyWeights& weights, const HostTensor& picture) {
    const auto maps = network::yolov4_tiny(weights, torch_view(picture));
    return {from_torch(maps[0]), from_torch(maps[1])};
}

}  // namespace zoo::yolov4::golden
