// SPDX-License-Identifier: Apache-2.0
#pragma once

// MobileNetV2 in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// Weights are used where they lie, batch norms as they are; nothing is folded or converted. x is [batch, channels,
// height, width].

#include <functional>

#include "models/mobilenetv2/config.hpp"
#include "models/mobilenetv2/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::mobilenetv2::golden {

// The first convolution, of stride 2, and ReLU6.
[[nodiscard]] HostTensor stem(const Config& config, const ConvNormWeights& weights, const HostTensor& images);

// Expands with ReLU6, filters each channel with ReLU6, projects; and the residual where the shape has one.
[[nodiscard]] HostTensor inverted_residual(
    const Config& config, const BlockWeights& weights, const BlockShape& shape, const HostTensor& x);

// Stem, blocks and the last convolution with ReLU6.
[[nodiscard]] HostTensor features(const Config& config, const Weights& weights, const HostTensor& images);

// The mean over the image, then the linear layer: [batch, num_classes].
[[nodiscard]] HostTensor classifier(const Config& config, const LinearWeights& weights, const HostTensor& x);

// Logits: [batch, num_classes].
[[nodiscard]] HostTensor mobilenetv2(const Config& config, const Weights& weights, const HostTensor& images);

// The same network at libtorch's best on a CPU, ready to run again and again: batch norms folded, channels last in memory, weights
// converted once. For benches.
[[nodiscard]] std::function<HostTensor()> fastest(
    const Config& config, const Weights& weights, const HostTensor& images);

}  // namespace zoo::mobilenetv2::golden
