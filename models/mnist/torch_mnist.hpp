// SPDX-License-Identifier: Apache-2.0
#pragma once

// The digit network in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// x is [batch, channels, height, width].

#include "models/mnist/config.hpp"
#include "models/mnist/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::mnist::golden {

// A convolution, ReLU and max-pool.
[[nodiscard]] HostTensor block(const Config& config, const ConvWeights& weights, const HostTensor& x);

// All convolutions.
[[nodiscard]] HostTensor features(const Config& config, const Weights& weights, const HostTensor& images);

// Two linear layers, ReLU between them: [batch, num_classes].
[[nodiscard]] HostTensor classifier(const Config& config, const Weights& weights, const HostTensor& x);

// Logits: [batch, num_classes].
[[nodiscard]] HostTensor mnist(const Config& config, const Weights& weights, const HostTensor& images);

}  // namespace zoo::mnist::golden
