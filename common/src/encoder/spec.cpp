// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/spec.hpp"

#include "zoo/error.hpp"

namespace zoo::encoder {
namespace {

constexpr std::int64_t kTile = 32;

}  // namespace

Activation activation_from(std::string_view hidden_act, std::string_view where) {
    if (hidden_act == "gelu") {
        return Activation::Gelu;
    }
    if (hidden_act == "gelu_new" || hidden_act == "gelu_pytorch_tanh") {
        return Activation::GeluTanh;
    }
    fail(where, "hidden_act is '", hidden_act, "'; only 'gelu', 'gelu_new' and 'gelu_pytorch_tanh' are implemented");
}

void require_positive(std::string_view where, std::string_view field, std::int64_t value, std::int64_t most) {
    if (value <= 0) {
        fail(where, field, " is ", value, "; it must be positive");
    }
    if (value > most) {
        fail(where, field, " is ", value, "; it must be at most ", most);
    }
}

void require_tiles(std::string_view where, std::string_view field, std::int64_t value) {
    if (value % kTile != 0) {
        fail(where, field, " is ", value, "; it must be a multiple of ", kTile, ", the side of a tile");
    }
}

void validate(std::string_view where, const LayerSpec& spec, const Limits& limits) {
    require_positive(where, "vocab_size", limits.vocab_size);
    require_positive(where, "hidden_size", spec.hidden_size);
    require_positive(where, "num_attention_heads", spec.num_attention_heads);
    require_positive(where, "intermediate_size", spec.intermediate_size);
    require_positive(where, "max_position_embeddings", limits.max_position_embeddings);
    require_positive(where, "type_vocab_size", limits.type_vocab_size);
    if (spec.hidden_size % spec.num_attention_heads != 0) {
        fail(
            where, "hidden_size ", spec.hidden_size, " is not a multiple of num_attention_heads ",
            spec.num_attention_heads, "; heads must be of equal size");
    }
    require_tiles(where, "the head size, hidden_size / num_attention_heads,", spec.head_size());
    require_tiles(where, "intermediate_size", spec.intermediate_size);
    if (limits.pad_token_id < 0 || limits.pad_token_id >= limits.vocab_size) {
        fail(where, "pad_token_id is ", limits.pad_token_id, "; it must be in [0, vocab_size ", limits.vocab_size, ")");
    }
    if (!(spec.layer_norm_eps > 0.0 && spec.layer_norm_eps < 1.0)) {
        fail(where, "layer_norm_eps is ", spec.layer_norm_eps, "; it must lie between 0 and 1");
    }
}

}  // namespace zoo::encoder
