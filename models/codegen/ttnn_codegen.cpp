// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/ttnn_codegen.hpp"

#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "zoo/causal/functional.hpp"

namespace zoo::codegen::functional {

using ttnn::Tensor;

namespace {

using causal::functional::kAttention;
using causal::functional::linear;
using causal::functional::look_up;

Tensor layer_norm(const Config& config, const LayerNormParameters& parameters, const Tensor& x) {
    return causal::functional::layer_norm(config.layer_norm_epsilon, parameters, x);
}

}  // namespace

// ids [1, rows], UINT32, ROW_MAJOR.
Tensor embeddings(const Config&, const Parameters& parameters, const StepInputs& inputs) {
    return as_hidden(look_up(inputs.ids, parameters.wte));
}

// hidden [1, 1, sequence, n_embd]; heads are [1, n_head, sequence, head_size].
Tensor attention(
    const Config& config, const AttentionParameters& parameters, const RotaryParameters& rotary,
    const StepAngles& angles, const Tensor& hidden, const KeyValueCache& cache, std::int64_t user) {
    Heads heads = split_sequence_heads(linear(parameters.qkv_proj, hidden), config.n_head);
    heads.query = rotate(heads.query, angles, rotary.turn, /*step=*/false);
    heads.key = rotate(heads.key, angles, rotary.turn, /*step=*/false);
    store_sequence(cache, heads, user);
    return linear(parameters.out_proj, attend_sequence(heads, kAttention));
}

// hidden [1, 1, users, n_embd]; heads are [1, users, n_head, head_size].
Tensor attention_step(
    const Config& config, const AttentionParameters& parameters, const RotaryParameters& rotary,
    const StepAngles& angles, const Tensor& hidden, const KeyValueCache& cache, const Tensor& cur_pos) {
    Heads heads = split_token_heads(linear(parameters.qkv_proj, hidden), config.n_head);
    heads.query = rotate(heads.query, angles, rotary.turn_by_user, /*step=*/true);
    heads.key = rotate(heads.key, angles, rotary.turn_by_user, /*step=*/true);
    store_token(cache, heads, cur_pos);
    return linear(parameters.out_proj, attend_token(heads.query, cache, cur_pos, kAttention));
}

// hidden [1, 1, rows, n_embd].
Tensor mlp(const Config&, const MlpParameters& parameters, const Tensor& hidden) {
    return linear(parameters.fc_out, linear(parameters.fc_in, hidden, "gelu_tanh"));
}

// hidden [1, 1, sequence, n_embd].
Tensor block(
    const Config& config, const LayerParameters& parameters, const RotaryParameters& rotary, const StepAngles& angles,
    const Tensor& hidden, const KeyValueCache& cache, std::int64_t user) {
    const Tensor normed = layer_norm(config, parameters.ln_1, hidden);
    const Tensor attended = attention(config, parameters.attn, rotary, angles, normed, cache, user);
    return ttnn::add(ttnn::add(attended, mlp(config, parameters.mlp, normed)), hidden);
}

// hidden [1, 1, users, n_embd].
Tensor block_step(
    const Config& config, const LayerParameters& parameters, const RotaryParameters& rotary, const StepAngles& angles,
    const Tensor& hidden, const KeyValueCache& cache, const Tensor& cur_pos) {
    const Tensor normed = layer_norm(config, parameters.ln_1, hidden);
    const Tensor attended = attention_step(config, parameters.attn, rotary, angles, normed, cache, cur_pos);
    return ttnn::add(ttnn::add(attended, mlp(config, parameters.mlp, normed)), hidden);
}

// ids [1, sequence] to [1, 1, sequence, n_embd].
Tensor codegen(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs, std::int64_t user) {
    Tensor hidden = embeddings(config, parameters, inputs);
    const StepAngles places = sequence_angles(parameters.rotary, inputs.positions);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block(config, parameters.h[i], parameters.rotary, places, hidden, caches[i], user);
    }
    return layer_norm(config, parameters.ln_f, hidden);
}

// ids [1, users] to [1, 1, users, n_embd].
Tensor codegen_step(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs) {
    Tensor hidden = embeddings(config, parameters, inputs);
    const StepAngles places = token_angles(parameters.rotary, inputs.positions);
    for (std::size_t i = 0; i < parameters.h.size(); ++i) {
        hidden = block_step(config, parameters.h[i], parameters.rotary, places, hidden, caches[i], inputs.cur_pos);
    }
    return layer_norm(config, parameters.ln_f, hidden);
}

// hidden [1, 1, rows, n_embd].
Tensor logits(const Config&, const Parameters& parameters, const Tensor& hidden) {
    return linear(parameters.lm_head, hidden);
}

StepOutputs prefill(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs, std::int64_t user, std::int64_t length) {
    const Tensor hidden = codegen(config, parameters, caches, inputs, user);
    return pick_likeliest(logits(config, parameters, take_token(hidden, length - 1)));
}

StepOutputs decode(
    const Config& config, const Parameters& parameters, const std::vector<KeyValueCache>& caches,
    const StepInputs& inputs) {
    return pick_likeliest(logits(config, parameters, codegen_step(config, parameters, caches, inputs)));
}

}  // namespace zoo::codegen::functional
