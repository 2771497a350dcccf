// SPDX-License-Identifier: Apache-2.0
#include "zoo/fetched_weights.hpp"

#include <cstdlib>

namespace zoo {

namespace {

std::string variable(const char* key) {
    const char* value = std::getenv(key);
    return value == nullptr ? "" : value;
}

std::filesystem::path cache_directory() {
    if (const std::string own = variable("TT_ZOO_CACHE"); !own.empty()) {
        return own;
    }
    const std::string user = variable("XDG_CACHE_HOME");
    const std::filesystem::path base =
        user.empty() ? std::filesystem::path(variable("HOME")) / ".cache" : std::filesystem::path(user);
    return base / "tt-zoo";
}

}  // namespace

std::optional<std::filesystem::path> fetched_weights(const std::string& name) {
    const std::filesystem::path directory = cache_directory() / name;
    // The manifest is written last, so a directory with one is complete.
    std::error_code ignored;
    return std::filesystem::exists(directory / "manifest.json", ignored) ? std::optional(directory) : std::nullopt;
}

}  // namespace zoo
