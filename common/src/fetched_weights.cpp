// SPDX-License-Identifier: Apache-2.0
#include "zoo/fetched_weights.hpp"

#include <pwd.h>
#include <unistd.h>

#include <cstdlib>

namespace zoo {

namespace {

std::string variable(const char* key) {
    const char* value = std::getenv(key);
    return value == nullptr ? "" : value;
}

// As scripts/fetch_weights finds it, without HOME too.
std::filesystem::path home_directory() {
    if (const std::string home = variable("HOME"); !home.empty()) {
        return home;
    }
    const passwd* const user = getpwuid(getuid());
    return user == nullptr ? "" : user->pw_dir;
}

std::filesystem::path cache_directory() {
    if (const std::string own = variable("TT_ZOO_CACHE"); !own.empty()) {
        return own;
    }
    const std::string user = variable("XDG_CACHE_HOME");
    return (user.empty() ? home_directory() / ".cache" : std::filesystem::path(user)) / "tt-zoo";
}

}  // namespace

std::optional<std::filesystem::path> fetched_weights(const std::string& name) {
    const std::filesystem::path directory = cache_directory() / name;
    // The manifest is written last, so a directory with one is complete.
    std::error_code ignored;
    return std::filesystem::exists(directory / "manifest.json", ignored) ? std::optional(directory) : std::nullopt;
}

}  // namespace zoo
