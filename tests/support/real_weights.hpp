// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

namespace zoo::test {

// Where scripts/fetch_weights put the weights of that name; nothing when they are not there. Tests never fetch.
inline std::optional<std::filesystem::path> real_weights(const std::string& name) {
    const auto variable = [](const char* key) -> std::string {
        const char* value = std::getenv(key);
        return value == nullptr ? "" : value;
    };
    std::filesystem::path cache = variable("TT_ZOO_CACHE");
    if (cache.empty()) {
        const std::string user = variable("XDG_CACHE_HOME");
        cache = (user.empty() ? std::filesystem::path(variable("HOME")) / ".cache" : std::filesystem::path(user)) /
                "tt-zoo";
    }
    const std::filesystem::path directory = cache / name;
    // The manifest is written last.
    return std::filesystem::exists(directory / "manifest.json") ? std::optional(directory) : std::nullopt;
}

}  // namespace zoo::test

// Skips the test, saying how to get the weights.
#define ZOO_REQUIRE_WEIGHTS(variable, name)                                             \
    const auto variable = ::zoo::test::real_weights(name);                              \
    if (!variable) {                                                                    \
        GTEST_SKIP() << "no weights; scripts/fetch_weights " << (name) << " gets them"; \
    }
