// SPDX-License-Identifier: Apache-2.0
#pragma once

// BERT on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of program configs. Any sequence length.
//
// hidden is [batch, sequence, hidden_size], TILE; mask is DeviceInputs::attention_mask. Nothing is consumed.

#include "models/bert/config.hpp"
#include "models/bert/preprocess.hpp"

namespace zoo::bert::functional {

// Word, segment and position embeddings, summed and normalised: hidden.
[[nodiscard]] ttnn::Tensor embeddings(
    const Config& config, const EmbeddingsParameters& parameters, const DeviceInputs& inputs);

// Attention of all heads, joined but not yet projected: hidden.
[[nodiscard]] ttnn::Tensor self_attention(
    const Config& config, const AttentionParameters& parameters, const ttnn::Tensor& hidden, const ttnn::Tensor& mask);

// Projects `context`, adds the layer's input `hidden` and normalises.
[[nodiscard]] ttnn::Tensor attention_output(
    const Config& config, const AttentionParameters& parameters, const ttnn::Tensor& context,
    const ttnn::Tensor& hidden);

// GELU of the widening projection: [batch, sequence, intermediate_size].
[[nodiscard]] ttnn::Tensor intermediate(
    const Config& config, const LinearParameters& parameters, const ttnn::Tensor& hidden);

// intermediate, the narrowing projection, residual and norm: hidden.
[[nodiscard]] ttnn::Tensor feed_forward(
    const Config& config, const FeedForwardParameters& parameters, const ttnn::Tensor& hidden);

[[nodiscard]] ttnn::Tensor encoder_layer(
    const Config& config, const LayerParameters& parameters, const ttnn::Tensor& hidden, const ttnn::Tensor& mask);
[[nodiscard]] ttnn::Tensor encoder(
    const Config& config, const std::vector<LayerParameters>& layers, const ttnn::Tensor& hidden,
    const ttnn::Tensor& mask);

// The last hidden state.
[[nodiscard]] ttnn::Tensor bert(const Config& config, const Parameters& parameters, const DeviceInputs& inputs);

// tanh of a projection of the first token: [batch, 1, hidden_size].
[[nodiscard]] ttnn::Tensor pooler(const Config& config, const LinearParameters& parameters, const ttnn::Tensor& hidden);

// Errors when the parameters lack the head.
// Start and end logits: [batch, sequence, 2].
[[nodiscard]] ttnn::Tensor for_question_answering(
    const Config& config, const Parameters& parameters, const DeviceInputs& inputs);
// [batch, sequence, vocab_size]
[[nodiscard]] ttnn::Tensor for_masked_lm(
    const Config& config, const Parameters& parameters, const DeviceInputs& inputs);
// [batch, 1, num_labels]
[[nodiscard]] ttnn::Tensor for_sequence_classification(
    const Config& config, const Parameters& parameters, const DeviceInputs& inputs);
// The mean over tokens, scaled to length 1, FLOAT32: [batch, 1, hidden_size]. Needs no head.
[[nodiscard]] ttnn::Tensor sentence_embedding(
    const Config& config, const Parameters& parameters, const DeviceInputs& inputs);

}  // namespace zoo::bert::functional
