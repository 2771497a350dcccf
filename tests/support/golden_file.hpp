// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace zoo::testing {

struct GoldenTensor {
    std::vector<std::size_t> shape;
    std::vector<float> values;
};

// One answer of the real TTNN: inputs in0, in1, ... and out, and the arguments of the call.
struct GoldenFile {
    std::map<std::string, GoldenTensor> tensors;
    nlohmann::json args;

    // Throws std::runtime_error naming the tensor if there is none.
    [[nodiscard]] const GoldenTensor& at(const std::string& name) const;
};

// Reads tests/data/golden/<name>.safetensors; throws std::runtime_error when it is missing or malformed.
[[nodiscard]] GoldenFile read_golden(const std::string& name);

// The names, without extension, of the golden files that start with prefix, sorted.
[[nodiscard]] std::vector<std::string> golden_names(const std::string& prefix);

}  // namespace zoo::testing
