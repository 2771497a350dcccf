// SPDX-License-Identifier: Apache-2.0
#pragma once

// ResNet in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// Weights are used where they lie, batch norms as they are; nothing is folded or converted. x is [batch, channels,
// height, width].

#include <functional>

#include "models/resnet/config.hpp"
#include "models/resnet/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::resnet::golden {

// The first convolution, its norm and ReLU, and the max-pool where there is one.
[[nodiscard]] HostTensor stem(const Config& config, const ConvNorm& weights, const HostTensor& images);

// Two 3x3 convolutions, the first of `stride`, and the residual.
[[nodiscard]] HostTensor basic_block(
    const Config& config, const BlockWeights& weights, std::uint32_t stride, const HostTensor& x);

// 1x1, 3x3 and 1x1, with the stride where the config says, and the residual.
[[nodiscard]] HostTensor bottleneck(
    const Config& config, const BlockWeights& weights, std::uint32_t stride, const HostTensor& x);

// All blocks of stage 0 to 3: layer1 to layer4.
[[nodiscard]] HostTensor layer(
    const Config& config, const std::vector<BlockWeights>& blocks, std::size_t stage, const HostTensor& x);

// The mean over the image, then the classifier: [batch, num_labels].
[[nodiscard]] HostTensor head(const Config& config, const Linear& weights, const HostTensor& x);

// Logits: [batch, num_labels].
[[nodiscard]] HostTensor resnet(const Config& config, const Weights& weights, const HostTensor& images);

// The same as fast as libtorch can, to be measured against: batch norms folded, weights laid out for oneDNN once, all
// activations in oneDNN's own layout. Copies what it needs of the weights.
[[nodiscard]] std::function<HostTensor(const HostTensor& images)> fast_resnet(
    const Config& config, const Weights& weights);

}  // namespace zoo::resnet::golden
