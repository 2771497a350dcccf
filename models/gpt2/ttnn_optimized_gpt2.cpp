// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/ttnn_optimized_gpt2.hpp"

#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "zoo/op_args.hpp"

namespace zoo::gpt2::optimized {

using ttnn::Tensor;
using ttnn::operations::matmul::MatmulProgramConfig;

namespace {

// One tile of rows has a program of its own; for a sequence TTNN chooses on the whole grid. x is consumed.
struct Step {
    const MatmulProgramConfig* program = nullptr;
    const char* activation = nullptr;
};

Tensor linear(const LinearParameters& parameters, const Placement& place, Tensor x, const Step& step) {
    LinearArgs args{
        .bias = parameters.bias,
        .memory_config = place.activations,
        .compute_kernel_config = step.activation != nullptr ? place.gelu_kernel : place.matmul_kernel};
    if (step.program != nullptr) {
        args.program_config = *step.program;
    } else {
        args.core_grid = place.grid;
        args.activation = step.activation != nullptr ? std::optional<std::string>(step.activation) : std::nullopt;
    }
    Tensor result = zoo::linear(x, parameters.weight, args);
    ttnn::deallocate(x);
    return result;
}

Tensor layer_norm(
    const Config& config, const LayerNormParameters& parameters, const Placement& place, const Tensor& x) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(config.layer_norm_epsilon),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .memory_config = place.activations,
            .compute_kernel_config = place.layer_norm_kernel});
}

Tensor look_up(const Tensor& ids, const Tensor& table, const Placement& place) {
    return ttnn::embedding(
        ids, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE, ttnn::prim::EmbeddingsType::GENERIC, std::nullopt,
        place.activations);
}

// Both are consumed.
Tensor add(const Placement& place, Tensor a, Tensor b) {
    Tensor sum = ttnn::add(a, b, std::nullopt, place.activations);
    ttnn::deallocate(a);
    ttnn::deallocate(b);
    return sum;
}

void deallocate(Heads& heads) {
    ttnn::deallocate(heads.query);
    ttnn::deallocate(heads.key);
    ttnn::deallocate(heads.value);
}

Tensor run_mlp(const MlpParameters& parameters, const Placement& place, Tensor hidden, bool single) {
    Tensor wide = linear(
        parameters.c_fc, place, std::move(hidden),
        {.program = single ? &place.step.c_fc : nullptr, .activation = "gelu_tanh"});
    return linear(parameters.c_proj, place, std::move(wide), {.program = single ? &place.step.mlp_c_proj : nullptr});
}

}  // namespace

// ids, positions [1, rows], UINT32, ROW_MAJOR.
Tensor embeddings(const Config&, const Parameters& parameters, const Placement& place, const StepInputs& inputs) {
    Tensor sum =
        add(place, look_up(inputs.ids, parameters.wte, place), look_up(inputs.positions, parameters.wpe, place));
    const auto& shape = sum.logical_shape();
    return ttnn::reshape(sum, ttnn::Shape{1, 1, shape[1], shape[2]});
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
    const bool single = hidden.padded_shape()[2] == 32;
    return run_mlp(parameters, place, std::move(hidden), single);
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
    LinearArgs args{.memory_config = place.activations, .compute_kernel_config = place.matmul_kernel};
    if (hidden.padded_shape()[2] == 32) {
        args.program_config = place.step.head;
    } else {
        args.core_grid = place.grid;
    }
    Tensor result = zoo::linear(hidden, parameters.head, args);
    ttnn::deallocate(hidden);
    return result;
}

StepOutputs prefill(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs, std::int64_t user, std::int64_t length) {
    Tensor hidden = gpt2(config, parameters, place, caches, inputs, user);
    Tensor last = take_token(hidden, length - 1);
    ttnn::deallocate(hidden);
    Tensor scores = logits(config, parameters, place, std::move(last));
    const StepOutputs outputs = pick_likeliest(scores);
    ttnn::deallocate(scores);
    return outputs;
}

StepOutputs decode(
    const Config& config, const Parameters& parameters, const Placement& place,
    const std::vector<KeyValueCache>& caches, const StepInputs& inputs) {
    Tensor scores = logits(config, parameters, place, gpt2_step(config, parameters, place, caches, inputs));
    const StepOutputs outputs = pick_likeliest(scores);
    ttnn::deallocate(scores);
    return outputs;
}

}  // namespace zoo::gpt2::optimized
