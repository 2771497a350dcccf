// SPDX-License-Identifier: Apache-2.0
#pragma once

// What encoders of text after BERT have in common: token inputs, the post-norm layer, heads, placement and runner.

#include <cstdint>
#include <string_view>

namespace zoo::encoder {

enum class Activation {
    Gelu,      // by erf: "gelu"
    GeluTanh,  // by tanh: "gelu_new", "gelu_pytorch_tanh"
};

// From a Hugging Face hidden_act. Error in `where` for any other name.
[[nodiscard]] Activation activation_from(std::string_view hidden_act, std::string_view where);

// What the code of a layer asks of a model. A model's Config converts to it.
struct LayerSpec {
    std::int64_t hidden_size = 0;
    std::int64_t num_attention_heads = 0;
    std::int64_t intermediate_size = 0;
    double layer_norm_eps = 1e-12;
    Activation activation = Activation::Gelu;

    [[nodiscard]] std::int64_t head_size() const { return hidden_size / num_attention_heads; }
};

// What inputs must keep to. A model's Config converts to it.
struct Limits {
    std::string_view model;  // for messages
    std::int64_t vocab_size = 0;
    std::int64_t max_position_embeddings = 0;
    std::int64_t type_vocab_size = 0;
    std::int64_t pad_token_id = 0;
};

// Checks of a model's config, each an Error in `where` that names the field, its value and the rule.
// From 1 to `most`, by default more than any size that is published.
void require_positive(std::string_view where, std::string_view field, std::int64_t value, std::int64_t most = 1 << 20);
inline constexpr std::int64_t kMostLayers = 1024;
// A multiple of 32: heads and matrices are cut along tiles.
void require_tiles(std::string_view where, std::string_view field, std::int64_t value);
// All rules that a layer and the inputs have, in one call.
void validate(std::string_view where, const LayerSpec& spec, const Limits& limits);

}  // namespace zoo::encoder
