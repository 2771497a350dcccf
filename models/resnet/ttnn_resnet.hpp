// SPDX-License-Identifier: Apache-2.0
#pragma once

// ResNet on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of configs. Any batch.
//
// Nothing is consumed; results are TILE.

#include "models/resnet/config.hpp"
#include "models/resnet/preprocess.hpp"

namespace zoo::resnet::functional {

// The first convolution, ReLU, and the max-pool where there is one.
[[nodiscard]] FeatureMap stem(const Config& config, const ConvParameters& parameters, const FeatureMap& images);

// Two 3x3 convolutions, the first of `stride`, and the residual.
[[nodiscard]] FeatureMap basic_block(
    const Config& config, const BlockParameters& parameters, std::uint32_t stride, const FeatureMap& x);

// 1x1, 3x3 and 1x1, with the stride where the config says, and the residual.
[[nodiscard]] FeatureMap bottleneck(
    const Config& config, const BlockParameters& parameters, std::uint32_t stride, const FeatureMap& x);

// All blocks of stage 0 to 3: layer1 to layer4.
[[nodiscard]] FeatureMap layer(
    const Config& config, const std::vector<BlockParameters>& blocks, std::size_t stage, const FeatureMap& x);

// The mean over the image, then the classifier: [1, 1, batch, num_labels].
[[nodiscard]] ttnn::Tensor head(const Config& config, const LinearParameters& parameters, const FeatureMap& x);

// Logits: [1, 1, batch, num_labels].
[[nodiscard]] ttnn::Tensor resnet(const Config& config, const Parameters& parameters, const FeatureMap& images);

}  // namespace zoo::resnet::functional
