// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "zoo/error.hpp"
#include "zoo/json_integer.hpp"

// The fields of a Hugging Face config.json that GPT-2 and its relatives name alike; a model's Config has them as members.
namespace zoo::causal {

// Not validated yet. What is absent and has a default keeps it.
template <class Config>
[[nodiscard]] Config read_fields(const JsonConfig& json) {
    Config config;
    config.vocab_size = integer(json, "vocab_size");
    config.n_positions = integer(json, "n_positions", config.n_positions);
    config.n_embd = integer(json, "n_embd");
    config.n_layer = integer(json, "n_layer");
    config.n_head = integer(json, "n_head");
    config.n_inner = integer(json, "n_inner", 0);
    config.layer_norm_epsilon = json.number("layer_norm_epsilon", config.layer_norm_epsilon);
    config.activation_function = json.string("activation_function", config.activation_function);
    return config;
}

// Error in `where` naming the first of these fields that no code here can run, its value and the rule.
template <class Config>
void validate_fields(const Config& config, std::string_view where) {
    constexpr std::int64_t kTile = 32;       // heads and matrices are cut along tiles
    constexpr std::int64_t kMostHeads = 32;  // the heads of one token lie in one tile
    const auto positive = [&](std::string_view field, std::int64_t value, std::int64_t most = 1 << 20) {
        if (value <= 0) {
            fail(where, field, " is ", value, "; it must be positive");
        }
        if (value > most) {
            fail(where, field, " is ", value, "; it must be at most ", most);
        }
    };
    positive("vocab_size", config.vocab_size);
    positive("n_positions", config.n_positions);
    positive("n_embd", config.n_embd);
    positive("n_layer", config.n_layer, 1024);
    positive("n_head", config.n_head);
    if (config.n_inner < 0) {
        fail(where, "n_inner is ", config.n_inner, "; it must be positive, or 0 for four times n_embd");
    }
    positive("n_inner", config.inner(), 1 << 22);
    if (config.n_embd % config.n_head != 0 || config.head_size() % kTile != 0) {
        fail(
            where, "n_embd ", config.n_embd, " over n_head ", config.n_head,
            " gives no whole tiles; n_embd / n_head must be a multiple of ", kTile);
    }
    if (config.n_head > kMostHeads) {
        fail(where, "n_head is ", config.n_head, "; it must be at most ", kMostHeads);
    }
    if (config.inner() % kTile != 0) {
        fail(where, "n_inner is ", config.inner(), "; it must be a multiple of ", kTile);
    }
    if (!(config.layer_norm_epsilon > 0.0 && config.layer_norm_epsilon < 1.0)) {
        fail(where, "layer_norm_epsilon is ", config.layer_norm_epsilon, "; it must lie between 0 and 1");
    }
    if (config.activation_function != "gelu_new") {
        fail(where, "activation_function is '", config.activation_function, "'; only 'gelu_new' is implemented");
    }
}

}  // namespace zoo::causal
