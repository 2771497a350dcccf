// SPDX-License-Identifier: Apache-2.0
#pragma once

// What both goldens are built of, on torch's tensors: NCHW, float32.

#include <ATen/ATen.h>

#include "models/yolov4/boxes.hpp"
#include "models/yolov4/weights.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::yolov4::golden::network {

inline at::Tensor conv(const Conv& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const auto bias = weights.conv.bias ? c10::optional<at::Tensor>(torch_view(*weights.conv.bias)) : c10::nullopt;
    at::Tensor y = at::conv2d(x, torch_view(weights.conv.weight), bias, weights.stride, weights.kernel / 2);
    if (weights.norm) {
        const BatchNormWeights& norm = *weights.norm;
        y = at::batch_norm(
            y, torch_view(norm.weight), torch_view(norm.bias), torch_view(norm.running_mean),
            torch_view(norm.running_var),
            /*training=*/false, /*momentum=*/0.0, /*eps=*/1e-5, /*cudnn_enabled=*/false);
    }
    switch (weights.activation) {
        case Activation::Linear:
            return y;
        case Activation::Leaky:
            return at::leaky_relu_(y, kLeakySlope);
        case Activation::Mish:
            return at::mish_(y);
    }
    return y;
}

inline at::Tensor upsample(const at::Tensor& x) { return at::upsample_nearest2d(x, {2 * x.size(2), 2 * x.size(3)}); }

// Maps [1, 3 * (5 + classes), height, width] to boxes and scores.
struct TorchPredictions {
    at::Tensor boxes;
    at::Tensor scores;
};
TorchPredictions predictions(const Config& config, const std::vector<at::Tensor>& maps);

std::vector<at::Tensor> yolov4_tiny(const TinyWeights& weights, const at::Tensor& picture);

}  // namespace zoo::yolov4::golden::network
