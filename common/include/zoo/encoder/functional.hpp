// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of an encoder on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of program configs. Any
// sequence length.
//
// hidden is [batch, sequence, hidden_size], TILE; mask is DeviceInputs::attention_mask. Nothing is consumed.

#include <string_view>

#include "zoo/encoder/parameters.hpp"
#include "zoo/encoder/spec.hpp"

namespace zoo::encoder::functional {

[[nodiscard]] ttnn::Tensor linear(const LinearParameters& parameters, const ttnn::Tensor& x);

// Word, segment and position embeddings, summed and normalised: [batch, sequence, width of the tables].
[[nodiscard]] ttnn::Tensor embeddings(
    const LayerSpec& spec, const EmbeddingsParameters& parameters, const DeviceInputs& inputs);

// Attention of all heads, joined but not yet projected: hidden.
[[nodiscard]] ttnn::Tensor self_attention(
    const LayerSpec& spec, const AttentionParameters& parameters, const ttnn::Tensor& hidden, const ttnn::Tensor& mask);

// Projects `context`, adds the layer's input `hidden` and normalises.
[[nodiscard]] ttnn::Tensor attention_output(
    const LayerSpec& spec, const AttentionParameters& parameters, const ttnn::Tensor& context,
    const ttnn::Tensor& hidden);

// GELU of the widening projection: [batch, sequence, intermediate_size].
[[nodiscard]] ttnn::Tensor intermediate(
    const LayerSpec& spec, const LinearParameters& parameters, const ttnn::Tensor& hidden);

// intermediate, the narrowing projection, residual and norm: hidden.
[[nodiscard]] ttnn::Tensor feed_forward(
    const LayerSpec& spec, const FeedForwardParameters& parameters, const ttnn::Tensor& hidden);

[[nodiscard]] ttnn::Tensor encoder_layer(
    const LayerSpec& spec, const LayerParameters& parameters, const ttnn::Tensor& hidden, const ttnn::Tensor& mask);

// The heads, over the last hidden state.
// tanh of a projection of the first token: [batch, 1, hidden_size].
[[nodiscard]] ttnn::Tensor pooler(
    const LayerSpec& spec, const LinearParameters& parameters, const ttnn::Tensor& hidden);
// Those of the tasks. Error in `where` when the parameters lack the head.
// Start and end logits: [batch, sequence, 2].
[[nodiscard]] ttnn::Tensor question_answering(
    std::string_view where, const HeadParameters& heads, const ttnn::Tensor& hidden);
// [batch, sequence, vocab_size]
[[nodiscard]] ttnn::Tensor masked_lm(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const ttnn::Tensor& hidden);
// [batch, 1, num_labels]
[[nodiscard]] ttnn::Tensor sequence_classification(
    std::string_view where, const LayerSpec& spec, const HeadParameters& heads, const ttnn::Tensor& hidden);
// The mean over tokens, scaled to length 1, FLOAT32: [batch, 1, hidden_size].
[[nodiscard]] ttnn::Tensor sentence_embedding(const ttnn::Tensor& hidden, const ttnn::Tensor& token_weights);

}  // namespace zoo::encoder::functional
