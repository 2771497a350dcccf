// SPDX-License-Identifier: Apache-2.0
#pragma once

// Flags that the commands of every model share. A model's own flags stand beside them in its Options.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli_fwd.hpp"
#include "device_flags.hpp"
#include "zoo/pipeline.hpp"
#include "zoo/plan.hpp"

namespace zoo::apps {

// What a trace of a model takes at most on the device.
inline constexpr std::size_t kTraceRegionBytes = 64 << 20;

// Which network: its size, where its weights come from.
struct ModelFlags {
    std::string preset;   // empty: the command's own default
    std::string weights;  // a path, "random", or empty: what was fetched for the preset, else random
    std::uint64_t seed = 1;

    // `weights_are` says what --weights may name, such as "A .safetensors file".
    void add_to(CLI::App& command, std::span<const std::string_view> presets, const std::string& weights_are);
    [[nodiscard]] std::string preset_or(const std::string& fallback) const;
};

// Which version of it, and how its ops are issued.
struct PlanFlags {
    std::string plan = "optimized";
    std::string mode = "plain";

    void add_to(CLI::App& command);
    [[nodiscard]] Plan chosen_plan() const { return plan_from_string(plan); }
    [[nodiscard]] Mode chosen_mode() const { return mode_from_string(mode); }
};

// --preset alone, for `info`.
void add_preset(CLI::App& command, std::string& preset, std::span<const std::string_view> presets);
// --batch; `of` names what a batch holds, such as "Pictures".
void add_batch(CLI::App& command, std::int64_t& batch, const std::string& of, std::int64_t most = 64);
void add_json(CLI::App& command, bool& json);
// For CLI11's check() of an unsigned option, which takes "-5" and numbers that do not fit: what is wrong, or nothing.
[[nodiscard]] std::string whole_number(const std::string& text);

// What is run, checked or timed, for the head line and the JSON of a command.
struct Subject {
    std::string model;
    std::string preset;
    std::string weights;                                      // where they come from, for people
    std::string size;                                         // for people: "batch 1, 384 tokens"
    std::vector<std::pair<std::string, std::int64_t>> sizes;  // for JSON: {{"batch", 1}, {"sequence", 384}}
};

}  // namespace zoo::apps
