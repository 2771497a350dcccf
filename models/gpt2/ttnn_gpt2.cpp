// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/ttnn_gpt2.hpp"

#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "zoo/causal/functional.hpp"

namespace zoo::gpt2::functional {

using ttnn::Tensor;

namespace {

using causal::functional::kAttention;
using causal::functional::linear;
using causal::functional::look_up;

Tensor layer_norm(const Config& config, const LayerNormParameters& parameters, const Tensor& x) {
    return causal::functional::layer_norm(config.layer_norm_epsilon, parameters, x);
}

}  // namespace

// ids, positions [1, rows], UINT32, ROW_MAJOR.
Tensor embeddings(const Config&, const Parameters& parameters, const StepInputs& inputs) {
    return as_hidden(ttnn::add(look_up(inputs.ids, parameters.wte), look_up(inputs.positions, parameters.wpe)));
}

// hidden [1, 1, sequence, n_embd]; heads are [1, n_head, sequence, head_size].
Tensor attention(
    const Config& config, const AttentionParameters& parameters, const Tensor& hidden, const KeyValueCache& cache,
    std::int64_t user) {
    const Heads heads = split_sequence_heads(linear(parameters.c_attn, hidden), config.n_head);
    store_sequence(cache, heads, user);
    return linear(parameters.c_proj, attend_sequence(heads, kAttention));
}

// hidden [1, 1, users, n_embd]; heads are [1, users, n_head, head_size].
Tensor attention_step(
    const Config& config, const AttentionParameters& parameters, const Tensor& hidden, const KeyValueCache& cache,
    const Tensor& cur_pos) {
    const Heads heads = split_token_heads(linear(parameters.c_attn, hidden), config.n_head);
    store_token(cache, heads, cur_pos);
    return linear(parameters.c_proj, attend_token(heads.query, cache, cur_pos, kAttention));
}

// hidden [1, 1, rows, n_embd].
Tensor mlp(const Config&, const MlpParameters& parameters, const Tensor& hidden) {
    return linear(parameters.c_proj, linear(parameters.c_fc, hidden, "gelu_tanh"));
}

// hidden [1, 1, sequence, n_embd].
Tensor block(
    const Config& config, const LayerParameters& parameters, const Tensor& hidden, const KeyValueCache& cache,
    std::int64_t user) {
    const Tensor attended =
        ttnn::add(hidden, attention(config, parameters.attn, layer_norm(config, parameters.ln_1, hidden), cache, user));
    return ttnn::add(attended, mlp(config, parameters.mlp, layer_norm(config, parameters.ln_2, attended)));
}

// hidden [1, 1, users, n_embd].
Tensor block_step(
    const Config& config, const LayerParameters& parameters, const Tensor& hidden, const KeyValueCache& cache,
    const Tensor& cur_pos) {
    const Tensor normed = layer_norm(config, parameters.ln_1, hidden);
    const Tensor attended = ttnn::add(hidden, attention_step(config, parameters.attn, normed, cache, cur_pos));
    return ttnn::add(attended, mlp(config, parameters.mlp, layer_norm(config, parameters.ln_2, attended)));
}

// ids [1, sequence] to [1, 1, sequence, n_embd].
Tensor gpt2(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs, std::int64_t user) {
    Tensor hidden = embeddings(config, parameters, inputs);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block(config, parameters.h[i], hidden, caches[i], user);
    }
    return layer_norm(config, parameters.ln_f, hidden);
}

// ids [1, users] to [1, 1, users, n_embd].
Tensor gpt2_step(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs) {
    Tensor hidden = embeddings(config, parameters, inputs);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block_step(config, parameters.h[i], hidden, caches[i], inputs.cur_pos);
    }
    return layer_norm(config, parameters.ln_f, hidden);
}

// hidden [1, 1, rows, n_embd].
Tensor logits(const Config&, const Parameters& parameters, const Tensor& hidden) {
    return linear({.weight = parameters.head, .bias = {}}, hidden);
}

StepOutputs prefill(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs, std::int64_t user, std::int64_t length) {
    const Tensor hidden = gpt2(config, parameters, caches, inputs, user);
    return pick_likeliest(logits(config, parameters, take_token(hidden, length - 1)));
}

StepOutputs decode(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs) {
    return pick_likeliest(logits(config, parameters, gpt2_step(config, parameters, caches, inputs)));
}

}  // namespace zoo::gpt2::functional
