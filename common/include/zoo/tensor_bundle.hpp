// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "zoo/checkpoint.hpp"

namespace zoo {

// A TensorFlow checkpoint of the "V2" kind: PREFIX.index, a sorted table of names, beside PREFIX.data-NNNNN-of-MMMMM,
// the values. `prefix` is the common part of those paths. Only whole tensors of plain numbers are read: partitioned
// variables, strings and compressed tables are refused by name. See open_checkpoint for `ignored`.
[[nodiscard]] std::unique_ptr<Checkpoint> open_tensor_bundle(
    const std::filesystem::path& prefix, const std::vector<std::string>& ignored = {});

}  // namespace zoo
