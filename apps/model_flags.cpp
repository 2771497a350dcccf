// SPDX-License-Identifier: Apache-2.0
#include "model_flags.hpp"

#include <charconv>

#include <CLI/CLI.hpp>

namespace zoo::apps {

void ModelFlags::add_to(CLI::App& command, std::span<const std::string_view> presets, const std::string& weights_are) {
    command.add_option("--preset", preset, "The size of the model")
        ->check(CLI::IsMember(std::vector<std::string>(presets.begin(), presets.end())));
    command.add_option(
        "--weights", weights, weights_are + ", or 'random'. Default: fetched weights of the preset, else random");
    command.add_option("--seed", seed, "Seed of random weights and inputs")->check(whole_number)->capture_default_str();
}

std::string ModelFlags::preset_or(const std::string& fallback) const { return preset.empty() ? fallback : preset; }

void PlanFlags::add_to(CLI::App& command) {
    command.add_option("--plan", plan, "functional: bfloat16, plain; optimized: bfloat8_b weights, sharded")
        ->check(CLI::IsMember({"functional", "optimized"}))
        ->capture_default_str();
    command.add_option("--mode", mode, "How ops are issued")
        ->check(CLI::IsMember({"plain", "trace", "2cq", "trace-2cq"}))
        ->capture_default_str();
}

void add_preset(CLI::App& command, std::string& preset, std::span<const std::string_view> presets) {
    command.add_option("--preset", preset, "The size of the model")
        ->check(CLI::IsMember(std::vector<std::string>(presets.begin(), presets.end())))
        ->capture_default_str();
}

void add_batch(CLI::App& command, std::int64_t& batch, const std::string& of, std::int64_t most) {
    command.add_option("--batch", batch, of)->check(CLI::Range(std::int64_t{1}, most))->capture_default_str();
}

std::string whole_number(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && !text.empty()
               ? ""
               : "'" + text + "' is no whole number from 0 to " + std::to_string(std::uint64_t(-1));
}

void add_json(CLI::App& command, bool& json) { command.add_flag("--json", json, "One JSON object instead of text"); }

}  // namespace zoo::apps
