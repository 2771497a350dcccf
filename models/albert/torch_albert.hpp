// SPDX-License-Identifier: Apache-2.0
#pragma once

// ALBERT in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// Weights are used where they lie, nothing is converted. hidden is [batch, sequence, hidden_size]; mask is
// additive_mask()'s [batch, 1, 1, sequence].

#include "models/albert/config.hpp"
#include "models/albert/inputs.hpp"
#include "models/albert/weights.hpp"
#include "zoo/encoder/torch_layers.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::albert::golden {

using zoo::encoder::golden::attention_output;
using zoo::encoder::golden::embeddings;  // [batch, sequence, embedding_size]
using zoo::encoder::golden::encoder_layer;
using zoo::encoder::golden::feed_forward;
using zoo::encoder::golden::intermediate;
using zoo::encoder::golden::pooler;
using zoo::encoder::golden::self_attention;

// From [batch, sequence, embedding_size] to hidden.
[[nodiscard]] HostTensor embedding_hidden_mapping(
    const Config& config, const Linear& weights, const HostTensor& embedded);

// All layers, each with the weights of its group.
[[nodiscard]] HostTensor encoder(
    const Config& config, const std::vector<std::vector<LayerWeights>>& groups, const HostTensor& hidden,
    const HostTensor& mask);

// The last hidden state.
[[nodiscard]] HostTensor albert(const Config& config, const Weights& weights, const Inputs& inputs);

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

}  // namespace zoo::albert::golden
