// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoo/checkpoint.hpp"

namespace zoo {

// A TensorFlow.js model: model.json, whose weightsManifest names the tensors, beside the shards with their values.
// Quantised weights are refused by name. See open_checkpoint for `ignored`.
[[nodiscard]] std::unique_ptr<Checkpoint> open_tfjs(
    const std::filesystem::path& model_json, const std::vector<std::string>& ignored = {});

}  // namespace zoo
