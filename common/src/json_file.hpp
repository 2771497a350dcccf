// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace zoo {

// What the parser says, without the name of its class of errors.
[[nodiscard]] inline std::string complaint_of(const nlohmann::json::exception& error) {
    const std::string text = error.what();
    const std::size_t name = text.starts_with("[json.exception.") ? text.find("] ") : std::string::npos;
    return name == std::string::npos ? text : text.substr(name + 2);
}

// Parses one JSON object. Error, opening with [where] and `source`, for text that is no JSON, is no object, nests
// deeper than 64, or gives a key twice.
[[nodiscard]] nlohmann::json parse_json_object(std::string_view where, std::string_view source, std::string_view text);

// The same for a file of at most 32 MB.
[[nodiscard]] nlohmann::json read_json_object(std::string_view where, const std::filesystem::path& file);

}  // namespace zoo
