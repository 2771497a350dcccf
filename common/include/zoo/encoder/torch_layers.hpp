// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of an encoder in float32 by libtorch, on host tensors: what the TTNN versions are measured against, module by
// module. hidden is [batch, sequence, hidden_size]; mask is additive_mask()'s [batch, 1, 1, sequence].

#include "zoo/encoder/inputs.hpp"
#include "zoo/encoder/spec.hpp"
#include "zoo/encoder/weights.hpp"

namespace zoo::encoder::golden {

// Word, segment and position embeddings, summed and normalised: [batch, sequence, width of the tables].
[[nodiscard]] HostTensor embeddings(const LayerSpec& spec, const EmbeddingsWeights& weights, const Inputs& inputs);

// Attention of all heads, joined but not yet projected: hidden.
[[nodiscard]] HostTensor self_attention(
    const LayerSpec& spec, const AttentionWeights& weights, const HostTensor& hidden, const HostTensor& mask);

// Projects `context`, adds the layer's input `hidden` and normalises.
[[nodiscard]] HostTensor attention_output(
    const LayerSpec& spec, const AttentionWeights& weights, const HostTensor& context, const HostTensor& hidden);

// GELU of the widening projection: [batch, sequence, intermediate_size].
[[nodiscard]] HostTensor intermediate(const LayerSpec& spec, const Linear& weights, const HostTensor& hidden);

// intermediate, the narrowing projection, residual and norm: hidden.
[[nodiscard]] HostTensor feed_forward(
    const LayerSpec& spec, const FeedForwardWeights& weights, const HostTensor& hidden);

[[nodiscard]] HostTensor encoder_layer(
    const LayerSpec& spec, const LayerWeights& weights, const HostTensor& hidden, const HostTensor& mask);

// tanh of a projection of the first token: [batch, hidden_size].
[[nodiscard]] HostTensor pooler(const LayerSpec& spec, const Linear& weights, const HostTensor& hidden);

}  // namespace zoo::encoder::golden
