// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/config.hpp"

#include "zoo/causal/config_json.hpp"
#include "zoo/presets.hpp"

namespace zoo::gpt2 {
namespace {

constexpr const char* kWhere = "gpt2::Config";

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
        {"gpt2-tiny", {.vocab_size = 1000, .n_positions = 128, .n_embd = 128, .n_layer = 2, .n_head = 2}},
        {"gpt2-scripture", {.vocab_size = 2048, .n_positions = 256, .n_embd = 128, .n_layer = 4, .n_head = 4}},
        {"gpt2", {}},
        {"gpt2-medium", {.n_embd = 1024, .n_layer = 24, .n_head = 16}},
    };
    return kPresets;
}

}  // namespace

Config preset(std::string_view name) { return find_preset(presets(), name, kWhere); }

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = names_of(presets());
    return kNames;
}

Config from_json(const std::filesystem::path& file) { return from_json(JsonConfig::load(file)); }

Config from_json(const JsonConfig& json) {
    auto config = causal::read_fields<Config>(json);
    config.tie_word_embeddings = json.boolean("tie_word_embeddings", true);
    validate(config);
    return config;
}

void validate(const Config& config) {
    causal::validate_fields(config, kWhere);
    if (!config.tie_word_embeddings) {
        fail(kWhere, "tie_word_embeddings is false; only the tied head is implemented");
    }
}

}  // namespace zoo::gpt2
