// SPDX-License-Identifier: Apache-2.0
#include "models/bert/config.hpp"

#include "zoo/encoder/config_json.hpp"
#include "zoo/error.hpp"
#include "zoo/presets.hpp"

namespace zoo::bert {
namespace {

constexpr const char* kWhere = "bert::Config";

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
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

}  // namespace

Config::operator encoder::LayerSpec() const {
    return {
        .hidden_size = hidden_size,
        .num_attention_heads = num_attention_heads,
        .intermediate_size = intermediate_size,
        .layer_norm_eps = layer_norm_eps,
        .activation = encoder::Activation::Gelu};
}

Config::operator encoder::Limits() const {
    return {
        .model = "bert",
        .vocab_size = vocab_size,
        .max_position_embeddings = max_position_embeddings,
        .type_vocab_size = type_vocab_size,
        .pad_token_id = pad_token_id};
}

Config preset(std::string_view name) { return find_preset(presets(), name, kWhere); }

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = names_of(presets());
    return kNames;
}

Config from_json(const std::filesystem::path& file) { return from_json(JsonConfig::load(file)); }

Config from_json(const JsonConfig& json) {
    const auto config = encoder::read_fields<Config>(json);
    validate(config);
    return config;
}

void validate(const Config& config) {
    encoder::validate(kWhere, config, config);
    encoder::require_positive(kWhere, "num_hidden_layers", config.num_hidden_layers, encoder::kMostLayers);
    encoder::require_positive(kWhere, "num_labels", config.num_labels);
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
