// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/config.hpp"

#include <limits>
#include <utility>

#include "zoo/error.hpp"
#include "zoo/json_config.hpp"

namespace zoo::gpt2 {
namespace {

constexpr const char* kWhere = "gpt2::Config";
constexpr std::int64_t kTile = 32;       // heads and matrices are cut along tiles
constexpr std::int64_t kMostHeads = 32;  // the heads of one token lie in one tile

using Preset = std::pair<std::string_view, Config>;

const std::vector<Preset>& presets() {
    static const std::vector<Preset> kPresets{
        {"gpt2-tiny", {.vocab_size = 1000, .n_positions = 128, .n_embd = 128, .n_layer = 2, .n_head = 2}},
        {"gpt2-reviews", {.vocab_size = 4096, .n_positions = 256, .n_embd = 128, .n_layer = 4, .n_head = 4}},
        {"gpt2", {}},
        {"gpt2-medium", {.n_embd = 1024, .n_layer = 24, .n_head = 16}},
    };
    return kPresets;
}

}  // namespace

Config preset(std::string_view name) {
    std::string names;
    for (const auto& [known, config] : presets()) {
        if (known == name) {
            return config;
        }
        names += (names.empty() ? "" : ", ") + std::string(known);
    }
    fail(kWhere, "there is no preset '", name, "'; it must be one of ", names);
}

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = [] {
        std::vector<std::string_view> names;
        for (const Preset& known : presets()) {
            names.push_back(known.first);
        }
        return names;
    }();
    return kNames;
}

Config from_json(const std::filesystem::path& file) { return from_json(JsonConfig::load(file)); }

Config from_json(const JsonConfig& json) {
    const Config defaults;
    Config config;
    // Bounds are validate()'s business: its messages name the rule.
    constexpr IntRange kAny{
        .min = std::numeric_limits<std::int64_t>::min(), .max = std::numeric_limits<std::int64_t>::max()};
    config.vocab_size = json.int64("vocab_size", std::nullopt, kAny);
    config.n_positions = json.int64("n_positions", defaults.n_positions, kAny);
    config.n_embd = json.int64("n_embd", std::nullopt, kAny);
    config.n_layer = json.int64("n_layer", std::nullopt, kAny);
    config.n_head = json.int64("n_head", std::nullopt, kAny);
    config.n_inner = json.int64("n_inner", 0, kAny);
    config.layer_norm_epsilon = json.number("layer_norm_epsilon", defaults.layer_norm_epsilon);
    config.activation_function = json.string("activation_function", defaults.activation_function);
    config.tie_word_embeddings = json.boolean("tie_word_embeddings", true);
    validate(config);
    return config;
}

void validate(const Config& config) {
    const auto positive = [](std::string_view field, std::int64_t value) {
        if (value <= 0) {
            fail(kWhere, field, " is ", value, "; it must be positive");
        }
    };
    positive("vocab_size", config.vocab_size);
    positive("n_positions", config.n_positions);
    positive("n_embd", config.n_embd);
    positive("n_layer", config.n_layer);
    positive("n_head", config.n_head);
    if (config.n_inner < 0) {
        fail(kWhere, "n_inner is ", config.n_inner, "; it must be positive, or 0 for four times n_embd");
    }
    if (config.n_embd % config.n_head != 0 || config.head_size() % kTile != 0) {
        fail(
            kWhere, "n_embd ", config.n_embd, " over n_head ", config.n_head,
            " gives no whole tiles; n_embd / n_head must be a "
            "multiple of ",
            kTile);
    }
    if (config.n_head > kMostHeads) {
        fail(kWhere, "n_head is ", config.n_head, "; it must be at most ", kMostHeads);
    }
    if (config.inner() % kTile != 0) {
        fail(kWhere, "n_inner is ", config.inner(), "; it must be a multiple of ", kTile);
    }
    if (!(config.layer_norm_epsilon > 0.0 && config.layer_norm_epsilon < 1.0)) {
        fail(kWhere, "layer_norm_epsilon is ", config.layer_norm_epsilon, "; it must lie between 0 and 1");
    }
    if (config.activation_function != "gelu_new") {
        fail(kWhere, "activation_function is '", config.activation_function, "'; only 'gelu_new' is implemented");
    }
    if (!config.tie_word_embeddings) {
        fail(kWhere, "tie_word_embeddings is false; only the tied head is implemented");
    }
}

}  // namespace zoo::gpt2
