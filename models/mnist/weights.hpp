// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>

#include "models/mnist/config.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/conv_weights.hpp"
#include "zoo/linear.hpp"

namespace zoo::mnist {

struct Weights {
    std::array<ConvWeights, kConvolutions> convolutions;
    LinearWeights fc1;
    LinearWeights fc2;
};

// Reads the names of scripts/train_mnist.py: conv1.weight, conv1.bias, ..., fc2.bias. One Error lists all names that are missing,
// unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones. A tensor's values depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed);

}  // namespace zoo::mnist
