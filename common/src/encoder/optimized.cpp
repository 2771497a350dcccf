// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/optimized.hpp"

#include <cmath>
#include <utility>

#include <tt_stl/small_vector.hpp>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"
#include "zoo/encoder/require_head.hpp"
#include "zoo/op_args.hpp"

namespace zoo::encoder::optimized {

using ttnn::Tensor;

namespace {

Tensor look_up(const Tensor& ids, const Tensor& table, const Placement& place) {
    return ttnn::embedding(
        ids, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE, ttnn::prim::EmbeddingsType::GENERIC,
        /*dtype=*/std::nullopt, place.memory.embeddings);
}

// Heads are small or run once: they work on interleaved tensors with TTNN's own choice of program.
Tensor head_linear(
    const LinearParameters& parameters, const Placement& place, const Tensor& x,
    const std::optional<std::string>& activation = std::nullopt) {
    return zoo::linear(
        x, parameters.weight,
        {.bias = parameters.bias,
         .memory_config = place.memory.head,
         .activation = activation,
         .compute_kernel_config = place.head_kernel});
}

// Consumes hidden.
Tensor to_head(const Placement& place, Tensor hidden) {
    Tensor interleaved = ttnn::to_memory_config(hidden, place.memory.head);
    ttnn::deallocate(hidden);
    return interleaved;
}

}  // namespace

// ids [batch, sequence], UINT32, ROW_MAJOR; not consumed.
Tensor sum_of_embeddings(const EmbeddingsParameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    Tensor sum = look_up(inputs.input_ids, parameters.word_embeddings, place);
    Tensor types = look_up(inputs.token_type_ids, parameters.token_type_embeddings, place);
    ttnn::add_(sum, types);
    ttnn::deallocate(types);
    Tensor positions = look_up(inputs.position_ids, parameters.position_embeddings, place);
    ttnn::add_(sum, positions);
    ttnn::deallocate(positions);
    return sum;
}

// x [batch, sequence, hidden_size], block sharded.
Tensor layer_norm(
    const LayerSpec& spec, const LayerNormParameters& parameters, const Placement& place, const Tensor& x,
    const std::optional<Tensor>& residual) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(spec.layer_norm_eps),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .residual = residual,
            .memory_config = place.memory.hidden,
            .program_config = place.programs.layer_norm,
            .compute_kernel_config = place.layer_norm_kernel});
}

// x [batch, sequence, width], interleaved, not consumed.
Tensor interleaved_layer_norm(
    const LayerSpec& spec, const LayerNormParameters& parameters, const Placement& place, const Tensor& x) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(spec.layer_norm_eps),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .compute_kernel_config = place.layer_norm_kernel});
}

// hidden [batch, sequence, hidden_size], block sharded, not consumed; mask [batch, 1, 1, sequence], not consumed.
Tensor self_attention(
    const LayerSpec& spec, const AttentionParameters& parameters, const Placement& place, const Tensor& hidden,
    const Tensor& mask) {
    Tensor fused = zoo::linear(
        hidden, parameters.query_key_value.weight,
        {.bias = parameters.query_key_value.bias,
         .memory_config = place.memory.query_key_value,
         .dtype = place.inner_dtype,
         .program_config = place.programs.query_key_value,
         .compute_kernel_config = place.matmul_kernel});
    auto [query, key, value] = ttnn::transformer::split_query_key_value_and_split_heads(
        fused, std::nullopt, static_cast<std::uint32_t>(spec.num_attention_heads), std::nullopt,
        /*transpose_key=*/true, place.memory.heads);
    ttnn::deallocate(fused);

    Tensor scores = zoo::matmul(
        query, key,
        {.memory_config = place.memory.scores,
         .dtype = place.inner_dtype,
         .program_config = place.programs.scores,
         .compute_kernel_config = place.matmul_kernel});
    ttnn::deallocate(query);
    ttnn::deallocate(key);
    const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(spec.head_size())));
    Tensor weights = ttnn::scale_mask_softmax_in_place(
        scores, scale, mask, place.programs.softmax, /*is_causal_mask=*/false, place.softmax_kernel,
        /*numeric_stable=*/true);
    Tensor context = zoo::matmul(
        weights, value,
        {.memory_config = place.memory.context,
         .dtype = place.inner_dtype,
         .program_config = place.programs.context,
         .compute_kernel_config = place.matmul_kernel});
    ttnn::deallocate(weights);
    ttnn::deallocate(value);

    Tensor joined = ttnn::transformer::concatenate_heads(context, place.memory.joined);
    ttnn::deallocate(context);
    return joined;
}

// context [batch, sequence, hidden_size], place.memory.joined, consumed; hidden block sharded, consumed.
Tensor attention_output(
    const LayerSpec& spec, const AttentionParameters& parameters, const Placement& place, Tensor context,
    Tensor hidden) {
    const Tensor projected = zoo::linear(
        context, parameters.output.weight,
        {.bias = parameters.output.bias,
         .memory_config = place.memory.hidden,
         .dtype = place.hidden_dtype,
         .program_config = place.programs.attention_output,
         .compute_kernel_config = place.matmul_kernel});
    ttnn::deallocate(context);
    Tensor attended = layer_norm(spec, parameters.layer_norm, place, projected, hidden);
    ttnn::deallocate(hidden);
    return attended;
}

// hidden [batch, sequence, hidden_size], block sharded, not consumed.
Tensor intermediate(
    const LayerSpec&, const LinearParameters& parameters, const Placement& place, const Tensor& hidden) {
    return zoo::linear(
        hidden, parameters.weight,
        {.bias = parameters.bias,
         .memory_config = place.memory.intermediate,
         .dtype = place.inner_dtype,
         .program_config = place.programs.intermediate,
         .compute_kernel_config = place.matmul_kernel});
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor feed_forward(
    const LayerSpec& spec, const FeedForwardParameters& parameters, const Placement& place, Tensor hidden) {
    Tensor wide = intermediate(spec, parameters.intermediate, place, hidden);
    const Tensor narrow = zoo::linear(
        wide, parameters.output.weight,
        {.bias = parameters.output.bias,
         .memory_config = place.memory.hidden,
         .dtype = place.hidden_dtype,
         .program_config = place.programs.output,
         .compute_kernel_config = place.matmul_kernel});
    ttnn::deallocate(wide);
    Tensor result = layer_norm(spec, parameters.layer_norm, place, narrow, hidden);
    ttnn::deallocate(hidden);
    return result;
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor encoder_layer(
    const LayerSpec& spec, const LayerParameters& parameters, const Placement& place, Tensor hidden,
    const Tensor& mask) {
    Tensor context = self_attention(spec, parameters.attention, place, hidden, mask);
    Tensor attended = attention_output(spec, parameters.attention, place, std::move(context), std::move(hidden));
    return feed_forward(spec, parameters.feed_forward, place, std::move(attended));
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor pooler(const LayerSpec& spec, const LinearParameters& parameters, const Placement& place, Tensor hidden) {
    Tensor tokens = to_head(place, std::move(hidden));
    Tensor first = ttnn::slice(
        tokens, ttsl::SmallVector<std::uint32_t>{0, 0, 0},
        ttsl::SmallVector<std::uint32_t>{
            static_cast<std::uint32_t>(place.batch), 1, static_cast<std::uint32_t>(spec.hidden_size)},
        ttsl::SmallVector<std::uint32_t>{1, 1, 1});
    ttnn::deallocate(tokens);
    Tensor projected = head_linear(parameters, place, first);
    ttnn::deallocate(first);
    Tensor pooled = ttnn::tanh(projected);
    ttnn::deallocate(projected);
    return pooled;
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor question_answering(std::string_view where, const HeadParameters& heads, const Placement& place, Tensor hidden) {
    const LinearParameters& head = require_head(heads.qa_outputs, where, "qa_outputs head");
    Tensor tokens = to_head(place, std::move(hidden));
    Tensor logits = head_linear(head, place, tokens);
    ttnn::deallocate(tokens);
    return logits;
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor masked_lm(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const Placement& place, Tensor hidden) {
    const PredictionsParameters& head = require_head(heads.predictions, where, "predictions head");
    Tensor tokens = to_head(place, std::move(hidden));
    const char* gelu = spec.activation == Activation::GeluTanh ? "gelu_tanh" : "gelu";
    Tensor transformed = head_linear(head.transform, place, tokens, gelu);
    ttnn::deallocate(tokens);
    Tensor normed = interleaved_layer_norm(spec, head.layer_norm, place, transformed);
    ttnn::deallocate(transformed);
    Tensor logits = head_linear(head.decoder, place, normed);
    ttnn::deallocate(normed);
    return logits;
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor sequence_classification(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const Placement& place, Tensor hidden) {
    const LinearParameters& classifier = require_head(heads.classifier, where, "classifier head");
    const LinearParameters& pool = require_head(heads.pooler, where, "pooler");
    Tensor pooled = pooler(spec, pool, place, std::move(hidden));
    Tensor logits = head_linear(classifier, place, pooled);
    ttnn::deallocate(pooled);
    return logits;
}

// The sum over tokens takes the place of the mean: scaling to length 1 makes them equal.
Tensor sentence_embedding(const Placement& place, Tensor hidden, const Tensor& token_weights) {
    Tensor tokens = to_head(place, std::move(hidden));
    const MatmulArgs exact{
        .memory_config = place.memory.head,
        .dtype = ttnn::DataType::FLOAT32,
        .compute_kernel_config = place.head_kernel};
    MatmulArgs with_itself = exact;
    with_itself.transpose_b = true;
    Tensor sum = zoo::matmul(token_weights, tokens, exact);
    ttnn::deallocate(tokens);
    Tensor squared_length = zoo::matmul(sum, sum, with_itself);
    Tensor factor = ttnn::rsqrt(squared_length);
    ttnn::deallocate(squared_length);
    Tensor embedding = ttnn::multiply(sum, factor);
    ttnn::deallocate(sum);
    ttnn::deallocate(factor);
    return embedding;
}

}  // namespace zoo::encoder::optimized
