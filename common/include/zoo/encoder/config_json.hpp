// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>

#include "zoo/json_integer.hpp"

namespace zoo::encoder {

using zoo::integer;

// The fields of a Hugging Face config.json that every encoder has, not validated yet. What is absent and has a default
// keeps it; num_labels follows id2label where that is given.
template <class Config>
[[nodiscard]] Config read_fields(const JsonConfig& json) {
    Config config;
    config.vocab_size = integer(json, "vocab_size");
    config.hidden_size = integer(json, "hidden_size");
    config.num_hidden_layers = integer(json, "num_hidden_layers");
    config.num_attention_heads = integer(json, "num_attention_heads");
    config.intermediate_size = integer(json, "intermediate_size");
    config.max_position_embeddings = integer(json, "max_position_embeddings", config.max_position_embeddings);
    config.type_vocab_size = integer(json, "type_vocab_size", config.type_vocab_size);
    config.pad_token_id = integer(json, "pad_token_id", config.pad_token_id);
    config.num_labels = integer(json, "num_labels", config.num_labels);
    if (json.contains("id2label")) {
        config.num_labels = std::ssize(json.string_map("id2label"));
    }
    config.layer_norm_eps = json.number("layer_norm_eps", config.layer_norm_eps);
    config.hidden_act = json.string("hidden_act", config.hidden_act);
    config.position_embedding_type = json.string("position_embedding_type", config.position_embedding_type);
    return config;
}

}  // namespace zoo::encoder
