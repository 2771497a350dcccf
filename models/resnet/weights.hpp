// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/resnet/config.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/conv_weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::resnet {

// A convolution and the batch norm behind it.
struct ConvNorm {
    ConvWeights conv;
    BatchNormWeights norm;
};

struct BlockWeights {
    ConvNorm conv1;
    ConvNorm conv2;
    std::optional<ConvNorm> conv3;       // of a bottleneck
    std::optional<ConvNorm> downsample;  // where the block changes size or channels
};

struct Linear {
    HostTensor weight;  // [out, in], as torch keeps it
    HostTensor bias;    // [out]
};

struct Weights {
    ConvNorm stem;
    std::array<std::vector<BlockWeights>, kStages> layers;
    Linear fc;
};

// Reads every name that `config` asks for. Known dialects of names:
//   - torchvision: conv1.weight, bn1.*, layer1.0.conv1.weight, ..., layer2.0.downsample.0.weight, ..., fc.weight;
//   - Keras Applications' ResNet-50: conv1/kernel, bn_conv1/gamma, res2a_branch2a/kernel, ..., fc1000/kernel. Made to
//     fit a network with torchvision's: kernels are turned, the stem takes red first, and variances grow by the
//     difference between Keras' epsilon, 1e-3, and the config's. Its strides are those of downsample_in_bottleneck.
// One Error lists all names that are missing, unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights, const Config& config);

// Writes torchvision's names to a safetensors file.
void save(const std::filesystem::path& file, const Weights& weights, const Config& config);

// Weights that mean nothing and behave like trained ones: no channel is like another, and no block drowns its input. A
// tensor's values depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed);

// How many numbers each part of the network has: the stem, layer1 to layer4, fc. Running statistics do not count.
struct PartSize {
    std::string name;
    std::int64_t parameters = 0;
};
[[nodiscard]] std::vector<PartSize> part_sizes(const Config& config);

}  // namespace zoo::resnet
