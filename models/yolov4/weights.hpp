// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "models/yolov4/config.hpp"
#include "models/yolov4/tree.hpp"
#include "zoo/checkpoint.hpp"
#include "zoo/conv_weights.hpp"

namespace zoo::yolov4 {

enum class Activation { Linear, Leaky, Mish };

[[nodiscard]] std::string_view to_string(Activation activation);  // Darknet's words: linear, leaky, mish

// Of the neck and of all of yolov4-tiny.
inline constexpr float kLeakySlope = 0.1F;

// A convolution padded to keep the size ("same"), its batch norm where it has one, and what follows.
struct Conv {
    std::int64_t in = 0;
    std::int64_t out = 0;
    std::int64_t kernel = 1;
    std::int64_t stride = 1;
    Activation activation = Activation::Linear;
    ConvWeights conv;  // with a bias where there is no norm
    std::optional<BatchNormWeights> norm;

    [[nodiscard]] Shape shape() const { return {out, in, kernel, kernel}; }
};

using ResblockWeights = Resblock<Conv>;
using Downsample1Weights = Downsample1<Conv>;
using DownsampleWeights = Downsample<Conv>;
using NeckWeights = Neck<Conv>;
using HeadWeights = Head<Conv>;
using FullWeights = Full<Conv>;
using TinyBlockWeights = TinyBlock<Conv>;
using TinyHeadWeights = TinyHead<Conv>;
using TinyWeights = Tiny<Conv>;

// One of the two, by the config's architecture.
struct Weights {
    std::optional<FullWeights> full;
    std::optional<TinyWeights> tiny;
};

// A line of the table of layers: all convolutions in the order in which Darknet lists and stores them.
struct Layer {
    std::string name;  // "down1.conv1", "down2.resblock.module_list.0.0"
    Conv* conv;
};

// The tree with all of its sizes and no values, and its table.
[[nodiscard]] Weights empty_weights(const Config& config);
[[nodiscard]] std::vector<Layer> layers(Weights& weights);

// Reads a checkpoint with the names of the PyTorch port that is in common use: down1.conv1.conv.0.weight (convolution),
// down1.conv1.conv.1.weight, bias, running_mean, running_var (norm), neek or neck, head. One Error lists all names that are missing,
// unknown or of another shape.
[[nodiscard]] Weights load(const Checkpoint& checkpoint, const Config& config);

// Reads a Darknet weights file, which must hold exactly the convolutions of the config.
[[nodiscard]] Weights load_darknet(const std::filesystem::path& file, const Config& config);

// Either of these, by what `path` is: a .weights file, or what open_checkpoint takes.
[[nodiscard]] Weights load(const std::filesystem::path& path, const Config& config);

// Every tensor by the name that `save` writes it under. They point into `weights`.
[[nodiscard]] NamedTensors tensors(const Weights& weights);

void save(const std::filesystem::path& file, const Weights& weights);

// Weights that mean nothing and behave like trained ones: activations neither fade nor grow, norms differ from channel to channel, and
// few cells hold an object. A tensor's values depend on the seed and its name only.
[[nodiscard]] Weights random(const Config& config, std::uint64_t seed);

}  // namespace zoo::yolov4
