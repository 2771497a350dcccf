// SPDX-License-Identifier: Apache-2.0
#include "models/bert/config.hpp"

#include <cmath>
#include <iterator>
#include <utility>

#include "zoo/error.hpp"
#include "zoo/json_config.hpp"

namespace zoo::bert {
namespace {

constexpr const char* kWhere = "bert::Config";

// Heads and matrices are cut along tiles.
constexpr std::int64_t kTile = 32;

struct Preset {
    std::string_view name;
    Config config;
};

const std::vector<Preset>& presets() {
    static const std::vector<Preset> kPresets{
        {"bert-tiny",
         {.vocab_size = 1000,
          .hidden_size = 128,
          .num_hidden_layers = 2,
          .num_attention_heads = 2,
          .intermediate_size = 512,
          .max_position_embeddings = 128,
          .num_labels = 3}},
        {"minilm-l6",
         {.hidden_size = 384, .num_hidden_layers = 6, .num_attention_heads = 12, .intermediate_size = 1536}},
        {"bert-base", {}},
        {"bert-large-squad2",
         {.hidden_size = 1024, .num_hidden_layers = 24, .num_attention_heads = 16, .intermediate_size = 4096}},
    };
    return kPresets;
}

void require_positive(std::string_view field, std::int64_t value) {
    if (value <= 0) {
        fail(kWhere, field, " is ", value, "; it must be positive");
    }
}

void require_tiles(std::string_view field, std::int64_t value) {
    if (value % kTile != 0) {
        fail(kWhere, field, " is ", value, "; it must be a multiple of ", kTile, ", the side of a tile");
    }
}

}  // namespace

Config preset(std::string_view name) {
    for (const Preset& known : presets()) {
        if (known.name == name) {
            return known.config;
        }
    }
    std::string names;
    for (const Preset& known : presets()) {
        names += (names.empty() ? "" : ", ") + std::string(known.name);
    }
    fail(kWhere, "there is no preset '", name, "'; it must be one of ", names);
}

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = [] {
        std::vector<std::string_view> names;
        for (const Preset& known : presets()) {
            names.push_back(known.name);
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
    const auto read = [&](std::string_view key, std::int64_t fallback) { return json.int64(key, fallback, kAny); };
    config.vocab_size = json.int64("vocab_size", std::nullopt, kAny);
    config.hidden_size = json.int64("hidden_size", std::nullopt, kAny);
    config.num_hidden_layers = json.int64("num_hidden_layers", std::nullopt, kAny);
    config.num_attention_heads = json.int64("num_attention_heads", std::nullopt, kAny);
    config.intermediate_size = json.int64("intermediate_size", std::nullopt, kAny);
    config.max_position_embeddings = read("max_position_embeddings", defaults.max_position_embeddings);
    config.type_vocab_size = read("type_vocab_size", defaults.type_vocab_size);
    config.pad_token_id = read("pad_token_id", defaults.pad_token_id);
    config.num_labels = read("num_labels", defaults.num_labels);
    if (json.contains("id2label")) {
        config.num_labels = std::ssize(json.string_map("id2label"));
    }
    config.layer_norm_eps = json.number("layer_norm_eps", defaults.layer_norm_eps);
    config.hidden_act = json.string("hidden_act", defaults.hidden_act);
    config.position_embedding_type = json.string("position_embedding_type", defaults.position_embedding_type);
    validate(config);
    return config;
}

void validate(const Config& config) {
    require_positive("vocab_size", config.vocab_size);
    require_positive("hidden_size", config.hidden_size);
    require_positive("num_hidden_layers", config.num_hidden_layers);
    require_positive("num_attention_heads", config.num_attention_heads);
    require_positive("intermediate_size", config.intermediate_size);
    require_positive("max_position_embeddings", config.max_position_embeddings);
    require_positive("type_vocab_size", config.type_vocab_size);
    require_positive("num_labels", config.num_labels);
    if (config.hidden_size % config.num_attention_heads != 0) {
        fail(
            kWhere, "hidden_size ", config.hidden_size, " is not a multiple of num_attention_heads ",
            config.num_attention_heads, "; heads must be of equal size");
    }
    require_tiles("the head size, hidden_size / num_attention_heads,", config.head_size());
    require_tiles("intermediate_size", config.intermediate_size);
    if (config.pad_token_id < 0 || config.pad_token_id >= config.vocab_size) {
        fail(
            kWhere, "pad_token_id is ", config.pad_token_id, "; it must be in [0, vocab_size ", config.vocab_size, ")");
    }
    if (!(config.layer_norm_eps > 0.0 && config.layer_norm_eps < 1.0)) {
        fail(kWhere, "layer_norm_eps is ", config.layer_norm_eps, "; it must lie between 0 and 1");
    }
    if (config.hidden_act != "gelu") {
        fail(kWhere, "hidden_act is '", config.hidden_act, "'; only 'gelu' is implemented");
    }
    if (config.position_embedding_type != "absolute") {
        fail(
            kWhere, "position_embedding_type is '", config.position_embedding_type,
            "'; only 'absolute' is implemented");
    }
}

}  // namespace zoo::bert
