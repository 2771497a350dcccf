// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoo/error.hpp"

namespace zoo {

// A model's named configurations, in the order in which they are shown.
template <class Config>
struct Preset {
    std::string_view name;
    Config config;
};

template <class Config>
[[nodiscard]] std::vector<std::string_view> names_of(const std::vector<Preset<Config>>& presets) {
    std::vector<std::string_view> names;
    for (const Preset<Config>& known : presets) {
        names.push_back(known.name);
    }
    return names;
}

// Error in `where` for a name that is not there, listing those that are.
template <class Config>
[[nodiscard]] const Config& find_preset(
    const std::vector<Preset<Config>>& presets, std::string_view name, std::string_view where) {
    std::string names;
    for (const Preset<Config>& known : presets) {
        if (known.name == name) {
            return known.config;
        }
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    fail(where, "there is no preset '", name, "'; it must be one of ", names);
}

}  // namespace zoo
