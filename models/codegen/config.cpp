// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/config.hpp"

#include <limits>
#include <utility>

#include "zoo/error.hpp"
#include "zoo/json_config.hpp"

namespace zoo::codegen {
namespace {

constexpr const char* kWhere = "codegen::Config";
constexpr std::int64_t kTile = 32;       // heads and matrices are cut along tiles
constexpr std::int64_t kMostHeads = 32;  // the heads of one token lie in one tile

constexpr std::int64_t kParts = 4;  // of the fused projection: each has its own queries, values, keys

using Preset = std::pair<std::string_view, Config>;

const std::vector<Preset>& presets() {
    static const std::vector<Preset> kPresets{
        {"codegen-tiny", {.vocab_size = 1000, .n_positions = 128, .n_embd = 256, .n_layer = 2, .n_head = 4}},
        {"codegen-350m-mono", {}},
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
    config.rotary_dim = json.int64("rotary_dim", defaults.rotary_dim, kAny);
    if (json.boolean("tie_word_embeddings", false)) {
        fail(kWhere, "tie_word_embeddings is true; CodeGen's head has weights of its own");
    }
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
    if (config.n_head % kParts != 0) {
        fail(
            kWhere, "n_head is ", config.n_head, "; it must be a multiple of ", kParts,
            ", the parts of the projection");
    }
    if (config.rotary_dim <= 0 || config.rotary_dim > config.head_size() || config.rotary_dim % 2 != 0) {
        fail(
            kWhere, "rotary_dim is ", config.rotary_dim, "; it must be even, positive and at most the head size ",
            config.head_size());
    }
}

}  // namespace zoo::codegen
