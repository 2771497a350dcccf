// SPDX-License-Identifier: Apache-2.0
#pragma once

// The places of all weights, for load, save and random.

#include <string>
#include <vector>

#include "models/resnet/weights.hpp"

namespace zoo::resnet {

struct ConvRow {
    std::string conv;  // torchvision's names
    std::string norm;
    Shape shape;
    ConvNorm* target;
    bool closes_block = false;  // the last one before the residual is added
};

// Convolutions in the order in which they run, the shortcut's last in its block. `weights` has its blocks already.
[[nodiscard]] std::vector<ConvRow> conv_table(Weights& weights, const Config& config);

[[nodiscard]] Weights empty_tree(const Config& config);

[[nodiscard]] bool is_keras(const Checkpoint& checkpoint);
[[nodiscard]] Weights load_keras(const Checkpoint& checkpoint, const Config& config);

}  // namespace zoo::resnet
