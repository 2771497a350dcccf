// SPDX-License-Identifier: Apache-2.0
#pragma once

// MobileNetV2 on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of configs. Any batch.
//
// Nothing is consumed; results are TILE.

#include "models/mobilenetv2/config.hpp"
#include "models/mobilenetv2/preprocess.hpp"

namespace zoo::mobilenetv2::functional {

// The first convolution, of stride 2, and ReLU6.
[[nodiscard]] FeatureMap stem(const Config& config, const ConvParameters& parameters, const FeatureMap& images);

// Expands with ReLU6, filters each channel with ReLU6, projects; and the residual where the shape has one.
[[nodiscard]] FeatureMap inverted_residual(
    const Config& config, const BlockParameters& parameters, const BlockShape& shape, const FeatureMap& x);

// Stem, blocks and the last convolution with ReLU6.
[[nodiscard]] FeatureMap features(const Config& config, const Parameters& parameters, const FeatureMap& images);

// The mean over the image, then the linear layer: [1, 1, batch, num_classes].
[[nodiscard]] ttnn::Tensor classifier(const Config& config, const LinearParameters& parameters, const FeatureMap& x);

// Logits: [1, 1, batch, num_classes].
[[nodiscard]] ttnn::Tensor mobilenetv2(const Config& config, const Parameters& parameters, const FeatureMap& images);

}  // namespace zoo::mobilenetv2::functional
