// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/checkpoint.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/random.hpp"

// Convolutions and batch norms as checkpoints hold them.
namespace zoo {

struct ConvWeights {
    HostTensor weight;               // [out, in / groups, height, width]
    std::optional<HostTensor> bias;  // [out]
};

// torch's names; all are [channels].
struct BatchNormWeights {
    HostTensor weight;
    HostTensor bias;
    HostTensor running_mean;
    HostTensor running_var;
};

// A convolution and the batch norm behind it.
struct ConvNormWeights {
    ConvWeights conv;
    BatchNormWeights norm;
};

// The convolution that gives at once what `conv` and then `norm` (with its running statistics) give. It has a bias.
[[nodiscard]] ConvWeights fold_batch_norm(const ConvWeights& conv, const BatchNormWeights& norm, float epsilon = 1e-5F);

// `weight` with zeros behind its input channels, so that it has `channels` of them: for inputs padded likewise.
[[nodiscard]] HostTensor pad_input_channels(const HostTensor& weight, std::int64_t channels);

// The lines of a name table: NAME.weight and, where `conv` has one, NAME.bias; NAME.weight to NAME.running_var.
// `shape` is that of the weight. The targets are in `conv` and `norm`, which must stay where they are.
void add_rows(std::vector<WeightRow>& rows, const std::string& name, ConvWeights& conv, const Shape& shape);
void add_rows(std::vector<WeightRow>& rows, const std::string& name, BatchNormWeights& norm, std::int64_t channels);

// He's initialisation times `gain`: behind a ReLU the output has the input's mean square for a gain of 1. Values depend
// on the generator's seed and the name only.
[[nodiscard]] ConvWeights random_conv(
    const Random& random, std::string_view name, const Shape& shape, bool bias = false, float gain = 1.0F);

// Statistics as trained networks have them: no two channels alike, scales around `scale`, some of them small.
[[nodiscard]] BatchNormWeights random_batch_norm(
    const Random& random, std::string_view name, std::int64_t channels, float scale = 1.0F);

}  // namespace zoo
