// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/encoder/spec.hpp"

namespace zoo {
class JsonConfig;
}

namespace zoo::albert {

// The field names of a Hugging Face config.json; the defaults are albert-base-v2's.
struct Config {
    std::int64_t vocab_size = 30000;
    std::int64_t embedding_size = 128;
    std::int64_t hidden_size = 768;
    std::int64_t num_hidden_layers = 12;
    std::int64_t num_hidden_groups = 1;  // sets of weights that the layers take turns with
    std::int64_t inner_group_num = 1;    // layers of a group, each run in every turn
    std::int64_t num_attention_heads = 12;
    std::int64_t intermediate_size = 3072;
    std::int64_t max_position_embeddings = 512;
    std::int64_t type_vocab_size = 2;
    std::int64_t pad_token_id = 0;
    std::int64_t num_labels = 2;  // of the sequence classification head
    double layer_norm_eps = 1e-12;
    std::string hidden_act = "gelu_new";  // by tanh; "gelu" is the exact one
    std::string position_embedding_type = "absolute";

    [[nodiscard]] std::int64_t head_size() const { return hidden_size / num_attention_heads; }
    // Whose weights a layer runs with: layers are dealt to the groups in stretches of equal length, as Hugging Face does.
    [[nodiscard]] std::int64_t group_of(std::int64_t layer) const {
        return layer * num_hidden_groups / num_hidden_layers;
    }

    // What the code that encoders share asks of a model.
    operator encoder::LayerSpec() const;  // NOLINT(google-explicit-constructor)
    operator encoder::Limits() const;     // NOLINT(google-explicit-constructor)

    bool operator==(const Config&) const = default;
};

// "albert-tiny" (for tests), "albert-imdb-small" (trained here), "albert-base-v2", "albert-large-v2", "albert-xlarge-v2",
// "albert-xxlarge-v2", "albert-base-v2-imdb" and "albert-base-v2-squad2". Error for any other name, listing these.
[[nodiscard]] Config preset(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& preset_names();

// Reads and validates a config.json: a path to it, or a parsed one. num_labels follows id2label where that is given.
[[nodiscard]] Config from_json(const std::filesystem::path& file);
[[nodiscard]] Config from_json(const JsonConfig& json);

// Error naming the first field that no code here can run, its value and the rule.
void validate(const Config& config);

}  // namespace zoo::albert
