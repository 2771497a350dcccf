// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

#include "models/mobilenetv2/config.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/conv_weights.hpp"
#include "zoo/linear.hpp"

namespace zoo::mobilenetv2 {

struct BlockWeights {
    std::optional<ConvNormWeights> expand;  // 1x1, where the block is wider inside
    ConvNormWeights depthwise;              // 3x3, one filter a channel
    ConvNormWeights project;                // 1x1
};

struct Weights {
    ConvNormWeights stem;
    std::vector<BlockWeights> blocks;
    ConvNormWeights last;  // 1x1
    LinearWeights classifier;
};

// Reads torchvision's names: features.0.0.weight, features.0.1.*, features.1.conv.0.0.weight, ..., classifier.1.bias. One
// Error lists all names that are missing, unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

// Writes torchvision's names to a safetensors file.
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: no channel is like another, and no block drowns its input. A
// tensor's values depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed);

}  // namespace zoo::mobilenetv2
