// SPDX-License-Identifier: Apache-2.0
#pragma once

// ResNet on TTNN, tuned: bfloat8_b weights and activations, which stay in L1 in shards, fused ReLU, and every sharding
// and config from the Placement. The batch is the placement's.
//
// A function that consumes a map has freed it, or made it its result, when it returns.

#include "models/resnet/config.hpp"
#include "models/resnet/placement.hpp"
#include "models/resnet/preprocess.hpp"

namespace zoo::resnet::optimized {

// The first convolution, ReLU, and the max-pool where there is one. images are in DRAM and not consumed.
[[nodiscard]] FeatureMap stem(
    const Config& config, const ConvParameters& parameters, const Placement& place, const FeatureMap& images);

// Two 3x3 convolutions, the first of `stride`, and the residual. Consumes x.
[[nodiscard]] FeatureMap basic_block(
    const Config& config, const BlockParameters& parameters, const Placement& place, std::size_t stage,
    std::uint32_t stride, FeatureMap x);

// 1x1, 3x3 and 1x1, with the stride where the config says, and the residual. Consumes x.
[[nodiscard]] FeatureMap bottleneck(
    const Config& config, const BlockParameters& parameters, const Placement& place, std::size_t stage,
    std::uint32_t stride, FeatureMap x);

// All blocks of stage 0 to 3: layer1 to layer4. Consumes x.
[[nodiscard]] FeatureMap layer(
    const Config& config, const std::vector<BlockParameters>& blocks, const Placement& place, std::size_t stage,
    FeatureMap x);

// The mean over the image, then the classifier: [1, 1, batch, num_labels], interleaved in L1. Consumes x.
[[nodiscard]] ttnn::Tensor head(
    const Config& config, const LinearParameters& parameters, const Placement& place, FeatureMap x);

// Logits: [1, 1, batch, num_labels], interleaved in L1.
[[nodiscard]] ttnn::Tensor resnet(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images);

}  // namespace zoo::resnet::optimized
