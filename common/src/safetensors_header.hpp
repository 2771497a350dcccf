// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/checkpoint.hpp"

namespace zoo {

// One tensor as the header gives it; the offsets count from the end of the header.
struct SafetensorsEntry {
    TensorInfo info;
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
};

struct SafetensorsHeader {
    std::vector<SafetensorsEntry> entries;  // sorted by name
    std::map<std::string, std::string> metadata;
};

// Reads the JSON text of a header. Checks its form and that no name comes twice; what the numbers mean is up to the
// caller. `source` names the file in Errors.
[[nodiscard]] SafetensorsHeader parse_safetensors_header(std::string_view source, std::string_view text);

}  // namespace zoo
