// SPDX-License-Identifier: Apache-2.0
#pragma once

// BERT in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// Weights are used where they lie, nothing is converted. hidden is [batch, sequence, hidden_size]; mask is
// additive_mask()'s [batch, 1, 1, sequence].

#include "models/bert/config.hpp"
#include "models/bert/inputs.hpp"
#include "models/bert/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::bert::golden {

// Word, segment and position embeddings, summed and normalised: hidden.
[[nodiscard]] HostTensor embeddings(const Config& config, const EmbeddingsWeights& weights, const Inputs& inputs);

// Attention of all heads, joined but not yet projected: hidden.
[[nodiscard]] HostTensor self_attention(
    const Config& config, const AttentionWeights& weights, const HostTensor& hidden, const HostTensor& mask);

// Projects `context`, adds the layer's input `hidden` and normalises.
[[nodiscard]] HostTensor attention_output(
    const Config& config, const AttentionWeights& weights, const HostTensor& context, const HostTensor& hidden);

// GELU of the widening projection: [batch, sequence, intermediate_size].
[[nodiscard]] HostTensor intermediate(const Config& config, const Linear& weights, const HostTensor& hidden);

// intermediate, the narrowing projection, residual and norm: hidden.
[[nodiscard]] HostTensor feed_forward(
    const Config& config, const FeedForwardWeights& weights, const HostTensor& hidden);

[[nodiscard]] HostTensor encoder_layer(
    const Config& config, const LayerWeights& weights, const HostTensor& hidden, const HostTensor& mask);
[[nodiscard]] HostTensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, const HostTensor& hidden, const HostTensor& mask);

// The last hidden state.
[[nodiscard]] HostTensor bert(const Config& config, const Weights& weights, const Inputs& inputs);

// tanh of a projection of the first token: [batch, hidden_size].
[[nodiscard]] HostTensor pooler(const Config& config, const Linear& weights, const HostTensor& hidden);

// Errors when the weights lack the head.
// Start and end logits: [batch, sequence, 2].
[[nodiscard]] HostTensor for_question_answering(const Config& config, const Weights& weights, const Inputs& inputs);
// [batch, sequence, vocab_size]
[[nodiscard]] HostTensor for_masked_lm(const Config& config, const Weights& weights, const Inputs& inputs);
// [batch, num_labels]
[[nodiscard]] HostTensor for_sequence_classification(
    const Config& config, const Weights& weights, const Inputs& inputs);
// The mean over tokens, scaled to length 1: [batch, hidden_size]. Needs no head.
[[nodiscard]] HostTensor sentence_embedding(const Config& config, const Weights& weights, const Inputs& inputs);

}  // namespace zoo::bert::golden
