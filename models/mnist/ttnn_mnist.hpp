// SPDX-License-Identifier: Apache-2.0
#pragma once

// The digit network on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of configs. Any batch.
//
// Nothing is consumed.

#include "models/mnist/config.hpp"
#include "models/mnist/preprocess.hpp"

namespace zoo::mnist::functional {

// A convolution, ReLU and max-pool. ROW_MAJOR, as max-pools return it.
[[nodiscard]] FeatureMap block(const Config& config, const ConvParameters& parameters, const FeatureMap& x);

// All convolutions.
[[nodiscard]] FeatureMap features(const Config& config, const Parameters& parameters, const FeatureMap& images);

// Two linear layers, ReLU between them: [1, 1, batch, num_classes].
[[nodiscard]] ttnn::Tensor classifier(const Config& config, const Parameters& parameters, const FeatureMap& x);

// Logits: [1, 1, batch, num_classes].
[[nodiscard]] ttnn::Tensor mnist(const Config& config, const Parameters& parameters, const FeatureMap& images);

}  // namespace zoo::mnist::functional
