// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/ttnn_optimized_codegen.hpp"

#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "zoo/causal/optimized.hpp"

namespace zoo::codegen::optimized {

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

// Queries and keys turn; what they were is freed.
void turn(Heads& heads, const StepAngles& angles, const Tensor& tile, bool step) {
    for (Tensor* part : {&heads.query, &heads.key}) {
        Tensor turned = rotate(*part, angles, tile, step);
        ttnn::deallocate(*part);
        *part = std::move(turned);
    }
}

// hidden [1, 1, rows, n_embd], kept. The programs of single tokens hold one tile of rows.
Tensor run_mlp(const MlpParameters& parameters, const Placement& place, const Tensor& hidden) {
    const bool single = is_single_tile(hidden);
    Tensor wide = causal::optimized::project(
        parameters.fc_in, place, hidden, {.program = single ? &place.step.fc_in : nullptr, .activation = "gelu_tanh"});
    return linear(parameters.fc_out, place, std::move(wide), {.program = single ? &place.step.fc_out : nullptr});
}

// The last norm; what the step needed before is freed.
Tensor finish(
    const Config& config, const Parameters& parameters, const Placement& place, Tensor hidden, StepAngles& angles) {
    Tensor normed = layer_norm(config, parameters.ln_f, place, hidden);
    ttnn::deallocate(hidden);
    ttnn::deallocate(angles.cos);
    ttnn::deallocate(angles.sin);
    return normed;
}

}  // namespace

// ids [1, rows], UINT32, ROW_MAJOR.
Tensor embeddings(const Config&, const Parameters& parameters, const Placement& place, const StepInputs& inputs) {
    return as_hidden(look_up(inputs.ids, parameters.wte, place));
}

// hidden [1, 1, sequence, n_embd], consumed; heads are [1, n_head, sequence, head_size].
Tensor attention(
    const Config& config, const AttentionParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, Tensor hidden, const KeyValueCache& cache, std::int64_t user) {
    Tensor fused = linear(parameters.qkv_proj, place, std::move(hidden), {});
    Heads heads = split_sequence_heads(fused, config.n_head, place.activations);
    ttnn::deallocate(fused);
    turn(heads, angles, rotary.turn, /*step=*/false);
    store_sequence(cache, heads, user);
    Tensor context = attend_sequence(heads, place.attention_kernel, place.activations);
    deallocate(heads);
    return linear(parameters.out_proj, place, std::move(context), {});
}

// hidden [1, 1, users, n_embd], consumed; heads are [1, users, n_head, head_size].
Tensor attention_step(
    const Config& config, const AttentionParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, Tensor hidden, const KeyValueCache& cache, const Tensor& cur_pos) {
    Tensor fused = linear(parameters.qkv_proj, place, std::move(hidden), {.program = &place.step.qkv_proj});
    Heads heads = split_token_heads(fused, config.n_head);
    ttnn::deallocate(fused);
    turn(heads, angles, rotary.turn_by_user, /*step=*/true);
    store_token(cache, heads, cur_pos);
    Tensor context = attend_token(heads.query, cache, cur_pos, place.attention_kernel, place.activations);
    deallocate(heads);
    return linear(parameters.out_proj, place, std::move(context), {.program = &place.step.out_proj});
}

// hidden [1, 1, rows, n_embd], consumed.
Tensor mlp(const Config&, const MlpParameters& parameters, const Placement& place, Tensor hidden) {
    Tensor result = run_mlp(parameters, place, hidden);
    ttnn::deallocate(hidden);
    return result;
}

// hidden [1, 1, sequence, n_embd], consumed. Attention and MLP read the same norm.
Tensor block(
    const Config& config, const LayerParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, Tensor hidden, const KeyValueCache& cache, std::int64_t user) {
    Tensor normed = layer_norm(config, parameters.ln_1, place, hidden);
    Tensor fed = run_mlp(parameters.mlp, place, normed);
    Tensor attended = attention(config, parameters.attn, place, rotary, angles, std::move(normed), cache, user);
    Tensor both = add(place, std::move(attended), std::move(fed));
    return add(place, std::move(both), std::move(hidden));
}

// hidden [1, 1, users, n_embd], consumed.
Tensor block_step(
    const Config& config, const LayerParameters& parameters, const Placement& place, const RotaryParameters& rotary,
    const StepAngles& angles, Tensor hidden, const KeyValueCache& cache, const Tensor& cur_pos) {
    Tensor normed = layer_norm(config, parameters.ln_1, place, hidden);
    Tensor fed = run_mlp(parameters.mlp, place, normed);
    Tensor attended = attention_step(config, parameters.attn, place, rotary, angles, std::move(normed), cache, cur_pos);
    Tensor both = add(place, std::move(attended), std::move(fed));
    return add(place, std::move(both), std::move(hidden));
}

// ids [1, sequence] to [1, 1, sequence, n_embd].
Tensor codegen(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user) {
    Tensor hidden = embeddings(config, parameters, place, inputs);
    StepAngles angles = sequence_angles(parameters.rotary, inputs.positions);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block(config, parameters.h[i], place, parameters.rotary, angles, std::move(hidden), caches[i], user);
    }
    return finish(config, parameters, place, std::move(hidden), angles);
}

// ids [1, users] to [1, 1, users, n_embd].
Tensor codegen_step(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs) {
    Tensor hidden = embeddings(config, parameters, place, inputs);
    StepAngles angles = token_angles(parameters.rotary, inputs.positions);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block_step(
            config, parameters.h[i], place, parameters.rotary, angles, std::move(hidden), caches[i], inputs.cur_pos);
    }
    return finish(config, parameters, place, std::move(hidden), angles);
}

// hidden [1, 1, rows, n_embd], consumed.
Tensor logits(const Config&, const Parameters& parameters, const Placement& place, Tensor hidden) {
    const bool single = is_single_tile(hidden);
    return linear(parameters.lm_head, place, std::move(hidden), {.program = single ? &place.step.head : nullptr});
}

StepOutputs prefill(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user, std::int64_t length) {
    Tensor hidden = codegen(config, parameters, place, caches, inputs, user);
    Tensor last = causal::optimized::take_last(std::move(hidden), length - 1);
    return causal::optimized::pick(logits(config, parameters, place, std::move(last)));
}

StepOutputs decode(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs) {
    return causal::optimized::pick(
        logits(config, parameters, place, codegen_step(config, parameters, place, caches, inputs)));
}

}  // namespace zoo::codegen::optimized
