// SPDX-License-Identifier: Apache-2.0
#pragma once

// `tt-zoo info MODEL`: what a preset is, and what its parameters take.
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli_fwd.hpp"

namespace zoo::apps {

struct ModelPart {
    std::string name;
    std::int64_t parameters = 0;
};

struct ModelInfo {
    std::string model;
    std::string preset;
    std::string summary;                                       // one line: layers, widths, input
    std::vector<std::pair<std::string, std::int64_t>> config;  // for JSON: {{"hidden_size", 768}, ...}
    std::vector<ModelPart> parts;                              // all parameters, part by part
    std::string note;                                          // what the optimized version keeps in which format
};

void print_info(const ModelInfo& info, bool json);

// The whole command: --preset and --json, and print_info of the preset as the callback.
void add_info_flags(
    CLI::App& command, std::string_view default_preset, std::span<const std::string_view> presets,
    std::function<ModelInfo(const std::string& preset)> info_of);

}  // namespace zoo::apps
