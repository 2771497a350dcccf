// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoo/checkpoint.hpp"

namespace zoo {

// One .safetensors file, mapped into memory. See open_checkpoint for `ignored`.
[[nodiscard]] std::unique_ptr<Checkpoint> open_safetensors(
    const std::filesystem::path& file, const std::vector<std::string>& ignored = {});

// A model split over files: an index (weight_map: tensor name to file name) with its shards in the same directory.
[[nodiscard]] std::unique_ptr<Checkpoint> open_safetensors_index(
    const std::filesystem::path& index, const std::vector<std::string>& ignored = {});

}  // namespace zoo
