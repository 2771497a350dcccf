// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string_view>

namespace zoo {

// Parses one JSON object. Error, opening with [where] and `source`, for text that is no JSON, is no object, nests
// deeper than 64, or gives a key twice.
[[nodiscard]] nlohmann::json parse_json_object(std::string_view where, std::string_view source, std::string_view text);

// The same for a file of at most 32 MB.
[[nodiscard]] nlohmann::json read_json_object(std::string_view where, const std::filesystem::path& file);

}  // namespace zoo
