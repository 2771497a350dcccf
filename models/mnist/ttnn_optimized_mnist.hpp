// SPDX-License-Identifier: Apache-2.0
#pragma once

// The digit network on TTNN for speed: bfloat8_b weights, activations in shards in L1, ReLU fused into the convolutions, and
// every tensor freed after its last use. One batch size: the placement's.

#include "models/mnist/config.hpp"
#include "models/mnist/placement.hpp"
#include "models/mnist/preprocess.hpp"

namespace zoo::mnist::optimized {

// A convolution with ReLU, and max-pool. Consumes x where it is in L1. ROW_MAJOR, as max-pools return it.
[[nodiscard]] FeatureMap block(
    const Config& config, const ConvParameters& parameters, const Placement& place, const FeatureMap& x);

// All convolutions. The images stay.
[[nodiscard]] FeatureMap features(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images);

// Two linear layers, ReLU between them: [1, 1, batch, num_classes]. Consumes x where it is in L1.
[[nodiscard]] ttnn::Tensor classifier(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& x);

// Logits: [1, 1, batch, num_classes].
[[nodiscard]] ttnn::Tensor mnist(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images);

}  // namespace zoo::mnist::optimized
