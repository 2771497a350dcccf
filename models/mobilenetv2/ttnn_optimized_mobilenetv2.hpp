// SPDX-License-Identifier: Apache-2.0
#pragma once

// MobileNetV2 on TTNN for speed: bfloat8_b weights, activations in shards in L1, ReLU6 fused into the convolutions, and
// every tensor freed after its last use. One batch size: the placement's.

#include "models/mobilenetv2/config.hpp"
#include "models/mobilenetv2/placement.hpp"
#include "models/mobilenetv2/preprocess.hpp"

namespace zoo::mobilenetv2::optimized {

// The first convolution, of stride 2, with ReLU6. The images stay.
[[nodiscard]] FeatureMap stem(
    const Config& config, const ConvParameters& parameters, const Placement& place, const FeatureMap& images);

// Expands with ReLU6, filters each channel with ReLU6, projects; and the residual where the shape has one. Consumes x
// where it is in L1.
[[nodiscard]] FeatureMap inverted_residual(
    const Config& config, const BlockParameters& parameters, const Placement& place, const Placement::Block& block,
    const BlockShape& shape, const FeatureMap& x);

// Stem, blocks and the last convolution with ReLU6. The images stay.
[[nodiscard]] FeatureMap features(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images);

// The mean over the image, then the linear layer: [1, 1, batch, num_classes]. Consumes x where it is in L1.
[[nodiscard]] ttnn::Tensor classifier(
    const Config& config, const LinearParameters& parameters, const Placement& place, const FeatureMap& x);

// Logits: [1, 1, batch, num_classes].
[[nodiscard]] ttnn::Tensor mobilenetv2(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images);

}  // namespace zoo::mobilenetv2::optimized
