// SPDX-License-Identifier: Apache-2.0
#include "models/albert/config.hpp"

#include "zoo/encoder/config_json.hpp"
#include "zoo/error.hpp"
#include "zoo/presets.hpp"

namespace zoo::albert {
namespace {

constexpr const char* kWhere = "albert::Config";

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
        {"albert-tiny",
         {.vocab_size = 1000,
          .embedding_size = 64,
          .hidden_size = 128,
          .num_hidden_layers = 3,
          .num_attention_heads = 2,
          .intermediate_size = 512,
          .max_position_embeddings = 128,
          .num_labels = 3}},
        {"albert-imdb-small",
         {.embedding_size = 64,
          .hidden_size = 128,
          .num_hidden_layers = 2,
          .num_attention_heads = 4,
          .intermediate_size = 256,
          .max_position_embeddings = 128}},
        {"albert-base-v2", {}},
        {"albert-large-v2",
         {.hidden_size = 1024, .num_hidden_layers = 24, .num_attention_heads = 16, .intermediate_size = 4096}},
        {"albert-xlarge-v2",
         {.hidden_size = 2048, .num_hidden_layers = 24, .num_attention_heads = 16, .intermediate_size = 8192}},
        {"albert-xxlarge-v2",
         {.hidden_size = 4096, .num_hidden_layers = 12, .num_attention_heads = 64, .intermediate_size = 16384}},
        // textattack/albert-base-v2-imdb and twmkn9/albert-base-v2-squad2: the base model with another head.
        {"albert-base-v2-imdb", {}},
        {"albert-base-v2-squad2", {}},
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
        .activation = encoder::activation_from(hidden_act, kWhere)};
}

Config::operator encoder::Limits() const {
    return {
        .model = "albert",
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
    auto config = encoder::read_fields<Config>(json);
    config.embedding_size = encoder::integer(json, "embedding_size", config.embedding_size);
    config.num_hidden_groups = encoder::integer(json, "num_hidden_groups", config.num_hidden_groups);
    config.inner_group_num = encoder::integer(json, "inner_group_num", config.inner_group_num);
    validate(config);
    return config;
}

void validate(const Config& config) {
    encoder::validate(kWhere, config, config);
    encoder::require_positive(kWhere, "embedding_size", config.embedding_size);
    encoder::require_tiles(kWhere, "embedding_size", config.embedding_size);
    encoder::require_positive(kWhere, "num_hidden_layers", config.num_hidden_layers, encoder::kMostLayers);
    encoder::require_positive(kWhere, "num_hidden_groups", config.num_hidden_groups, encoder::kMostLayers);
    encoder::require_positive(kWhere, "inner_group_num", config.inner_group_num, encoder::kMostLayers);
    encoder::require_positive(kWhere, "num_labels", config.num_labels);
    if (config.num_hidden_layers % config.num_hidden_groups != 0) {
        fail(
            kWhere, "num_hidden_layers ", config.num_hidden_layers, " is not a multiple of num_hidden_groups ",
            config.num_hidden_groups, "; every group must have as many layers");
    }
    if (config.position_embedding_type != "absolute") {
        fail(
            kWhere, "position_embedding_type is '", config.position_embedding_type,
            "'; only 'absolute' is implemented");
    }
}

}  // namespace zoo::albert
