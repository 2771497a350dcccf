// SPDX-License-Identifier: Apache-2.0
#pragma once

// BERT in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// Weights are used where they lie, nothing is converted. hidden is [batch, sequence, hidden_size]; mask is
// additive_mask()'s [batch, 1, 1, sequence].

#include "models/bert/config.hpp"
#include "models/bert/inputs.hpp"
#include "models/bert/weights.hpp"
#include "zoo/encoder/torch_layers.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::bert::golden {

using zoo::encoder::golden::attention_output;
using zoo::encoder::golden::embeddings;
using zoo::encoder::golden::encoder_layer;
using zoo::encoder::golden::feed_forward;
using zoo::encoder::golden::intermediate;
using zoo::encoder::golden::pooler;
using zoo::encoder::golden::self_attention;

[[nodiscard]] HostTensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, const HostTensor& hidden, const HostTensor& mask);

// The last hidden state.
[[nodiscard]] HostTensor bert(const Config& config, const Weights& weights, const Inputs& inputs);

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
