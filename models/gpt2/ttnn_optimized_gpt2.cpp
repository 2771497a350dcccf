// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/ttnn_optimized_gpt2.hpp"

#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "zoo/causal/optimized.hpp"

namespace zoo::gpt2::optimized {

using ttnn::Tensor;

namespace {

using causal::optimized::add;
using causal::optimized::deallocate;
using causal::optimized::is_single_tile;
using causal::optimized::linear;
using causal::optimized::look_up;

Tensor layer_norm(
    const Config& config, const LayerNormParameters& parameters, const Placement& place, const Tensor& x) {
    return causal::optimized::layer_norm(config.layer_norm_epsilon, parameters, place, x);
}

}  // namespace

// ids, positions [1, rows], UINT32, ROW_MAJOR.
Tensor embeddings(const Config&, const Parameters& parameters, const Placement& place, const StepInputs& inputs) {
    return as_hidden(
        add(place, look_up(inputs.ids, parameters.wte, place), look_up(inputs.positions, parameters.wpe, place)));
}

// hidden [1, 1, sequence, n_embd], consumed; heads are [1, n_head, sequence, head_size].
Tensor attention(
    const Config& config, const AttentionParameters& parameters, const Placement& place, Tensor hidden,
    const KeyValueCache& cache, std::int64_t user) {
    Tensor fused = linear(parameters.c_attn, place, std::move(hidden), {});
    Heads heads = split_sequence_heads(fused, config.n_head, place.activations);
    ttnn::deallocate(fused);
    store_sequence(cache, heads, user);
    Tensor context = attend_sequence(heads, place.attention_kernel, place.activations);
    deallocate(heads);
    return linear(parameters.c_proj, place, std::move(context), {});
}

// hidden [1, 1, users, n_embd], consumed; heads are [1, users, n_head, head_size].
Tensor attention_step(
    const Config& config, const AttentionParameters& parameters, const Placement& place, Tensor hidden,
    const KeyValueCache& cache, const Tensor& cur_pos) {
    Tensor fused = linear(parameters.c_attn, place, std::move(hidden), {.program = &place.step.c_attn});
    Heads heads = split_token_heads(fused, config.n_head);
    ttnn::deallocate(fused);
    store_token(cache, heads, cur_pos);
    Tensor context = attend_token(heads.query, cache, cur_pos, place.attention_kernel, place.activations);
    deallocate(heads);
    return linear(parameters.c_proj, place, std::move(context), {.program = &place.step.attn_c_proj});
}

// hidden [1, 1, rows, n_embd], consumed. The programs of single tokens hold one tile of rows.
Tensor mlp(const Config&, const MlpParameters& parameters, const Placement& place, Tensor hidden) {
    const bool single = is_single_tile(hidden);
    Tensor wide = linear(
        parameters.c_fc, place, std::move(hidden),
        {.program = single ? &place.step.c_fc : nullptr, .activation = "gelu_tanh"});
    return linear(parameters.c_proj, place, std::move(wide), {.program = single ? &place.step.mlp_c_proj : nullptr});
}

// hidden [1, 1, sequence, n_embd], consumed.
Tensor block(
    const Config& config, const LayerParameters& parameters, const Placement& place, Tensor hidden,
    const KeyValueCache& cache, std::int64_t user) {
    Tensor normed = layer_norm(config, parameters.ln_1, place, hidden);
    Tensor attended =
        add(place, std::move(hidden), attention(config, parameters.attn, place, std::move(normed), cache, user));
    normed = layer_norm(config, parameters.ln_2, place, attended);
    return add(place, std::move(attended), mlp(config, parameters.mlp, place, std::move(normed)));
}

// hidden [1, 1, users, n_embd], consumed.
Tensor block_step(
    const Config& config, const LayerParameters& parameters, const Placement& place, Tensor hidden,
    const KeyValueCache& cache, const Tensor& cur_pos) {
    Tensor normed = layer_norm(config, parameters.ln_1, place, hidden);
    Tensor mixed = attention_step(config, parameters.attn, place, std::move(normed), cache, cur_pos);
    Tensor attended = add(place, std::move(hidden), std::move(mixed));
    normed = layer_norm(config, parameters.ln_2, place, attended);
    return add(place, std::move(attended), mlp(config, parameters.mlp, place, std::move(normed)));
}

// ids [1, sequence] to [1, 1, sequence, n_embd].
Tensor gpt2(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user) {
    Tensor hidden = embeddings(config, parameters, place, inputs);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block(config, parameters.h[i], place, std::move(hidden), caches[i], user);
    }
    Tensor normed = layer_norm(config, parameters.ln_f, place, hidden);
    ttnn::deallocate(hidden);
    return normed;
}

// ids [1, users] to [1, 1, users, n_embd].
Tensor gpt2_step(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs) {
    Tensor hidden = embeddings(config, parameters, place, inputs);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block_step(config, parameters.h[i], place, std::move(hidden), caches[i], inputs.cur_pos);
    }
    Tensor normed = layer_norm(config, parameters.ln_f, place, hidden);
    ttnn::deallocate(hidden);
    return normed;
}

// hidden [1, 1, rows, n_embd], one tile of rows or more, consumed.
Tensor logits(const Config&, const Parameters& parameters, const Placement& place, Tensor hidden) {
    const bool single = is_single_tile(hidden);
    return linear(
        {.weight = parameters.head, .bias = {}}, place, std::move(hidden),
        {.program = single ? &place.step.head : nullptr});
}

StepOutputs prefill(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user, std::int64_t length) {
    Tensor hidden = gpt2(config, parameters, place, caches, inputs, user);
    Tensor last = causal::optimized::take_last(std::move(hidden), length - 1);
    return causal::optimized::pick(logits(config, parameters, place, std::move(last)));
}

StepOutputs decode(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs) {
    return causal::optimized::pick(
        logits(config, parameters, place, gpt2_step(config, parameters, place, caches, inputs)));
}

}  // namespace zoo::gpt2::optimized
