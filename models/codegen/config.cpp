// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/config.hpp"

#include "zoo/causal/config_json.hpp"
#include "zoo/presets.hpp"

namespace zoo::codegen {
namespace {

constexpr const char* kWhere = "codegen::Config";
constexpr std::int64_t kParts = 4;  // of the fused projection: each has its own queries, values, keys

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
        {"codegen-tiny", {.vocab_size = 1000, .n_positions = 128, .n_embd = 256, .n_layer = 2, .n_head = 4}},
        {"codegen-350m-mono", {}},
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
    config.rotary_dim = integer(json, "rotary_dim", config.rotary_dim);
    if (json.boolean("tie_word_embeddings", false)) {
        fail(kWhere, "tie_word_embeddings is true; CodeGen's head has weights of its own");
    }
    validate(config);
    return config;
}

void validate(const Config& config) {
    causal::validate_fields(config, kWhere);
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
