// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace zoo {

// The directory into which scripts/fetch_weights put the weights of that name; nothing when they are not there. Below TT_ZOO_CACHE of the
// environment, else below the user's cache directory. Never fetches.
[[nodiscard]] std::optional<std::filesystem::path> fetched_weights(const std::string& name);

}  // namespace zoo
