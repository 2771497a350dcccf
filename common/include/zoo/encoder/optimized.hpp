// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of an encoder on TTNN, tuned: bfloat8_b weights, block-sharded activations in L1, fused GELU, and every core
// grid, memory and program config from the Placement. Batch and sequence are the placement's.
//
// hidden is [batch, sequence, hidden_size], TILE, place.memory.hidden; mask is DeviceInputs::attention_mask. A function
// that consumes a tensor has freed it, or made it its result, when it returns.

#include <string_view>

#include "zoo/encoder/parameters.hpp"
#include "zoo/encoder/placement.hpp"
#include "zoo/encoder/spec.hpp"

namespace zoo::encoder::optimized {

// Word, segment and position embeddings, summed: [batch, sequence, width of the tables], place.memory.embeddings.
[[nodiscard]] ttnn::Tensor sum_of_embeddings(
    const EmbeddingsParameters& parameters, const Placement& place, const DeviceInputs& inputs);

// Of hidden, in place: the result is x's memory. The residual is not consumed.
[[nodiscard]] ttnn::Tensor layer_norm(
    const LayerSpec& spec, const LayerNormParameters& parameters, const Placement& place, const ttnn::Tensor& x,
    const std::optional<ttnn::Tensor>& residual = std::nullopt);
// Of an interleaved tensor of any width. x is not consumed.
[[nodiscard]] ttnn::Tensor interleaved_layer_norm(
    const LayerSpec& spec, const LayerNormParameters& parameters, const Placement& place, const ttnn::Tensor& x);

// Attention of all heads, joined but not yet projected: place.memory.joined. hidden is not consumed.
[[nodiscard]] ttnn::Tensor self_attention(
    const LayerSpec& spec, const AttentionParameters& parameters, const Placement& place, const ttnn::Tensor& hidden,
    const ttnn::Tensor& mask);

// Projects `context`, adds the layer's input `hidden` and normalises: hidden. Consumes both.
[[nodiscard]] ttnn::Tensor attention_output(
    const LayerSpec& spec, const AttentionParameters& parameters, const Placement& place, ttnn::Tensor context,
    ttnn::Tensor hidden);

// GELU of the widening projection: [batch, sequence, intermediate_size], place.memory.intermediate. hidden is not
// consumed.
[[nodiscard]] ttnn::Tensor intermediate(
    const LayerSpec& spec, const LinearParameters& parameters, const Placement& place, const ttnn::Tensor& hidden);

// intermediate, the narrowing projection, residual and norm: hidden. Consumes hidden.
[[nodiscard]] ttnn::Tensor feed_forward(
    const LayerSpec& spec, const FeedForwardParameters& parameters, const Placement& place, ttnn::Tensor hidden);

// Consumes hidden.
[[nodiscard]] ttnn::Tensor encoder_layer(
    const LayerSpec& spec, const LayerParameters& parameters, const Placement& place, ttnn::Tensor hidden,
    const ttnn::Tensor& mask);

// The heads, over the last hidden state, which they consume. Results are interleaved.
// tanh of a projection of the first token: [batch, 1, hidden_size].
[[nodiscard]] ttnn::Tensor pooler(
    const LayerSpec& spec, const LinearParameters& parameters, const Placement& place, ttnn::Tensor hidden);
// Those of the tasks. Error in `where` when the parameters lack the head.
// Start and end logits: [batch, sequence, 2].
[[nodiscard]] ttnn::Tensor question_answering(
    std::string_view where, const HeadParameters& heads, const Placement& place, ttnn::Tensor hidden);
// [batch, sequence, vocab_size]
[[nodiscard]] ttnn::Tensor masked_lm(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const Placement& place,
    ttnn::Tensor hidden);
// [batch, 1, num_labels]
[[nodiscard]] ttnn::Tensor sequence_classification(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const Placement& place,
    ttnn::Tensor hidden);
// The mean over tokens, scaled to length 1, FLOAT32: [batch, 1, hidden_size].
[[nodiscard]] ttnn::Tensor sentence_embedding(
    const Placement& place, ttnn::Tensor hidden, const ttnn::Tensor& token_weights);

}  // namespace zoo::encoder::optimized
