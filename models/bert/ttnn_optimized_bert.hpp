// SPDX-License-Identifier: Apache-2.0
#pragma once

// BERT on TTNN, tuned: bfloat8_b weights, block-sharded activations in L1, fused GELU, and every core grid, memory and
// program config from the Placement. Batch and sequence are the placement's.
//
// hidden is [batch, sequence, hidden_size], TILE, place.memory.hidden; mask is DeviceInputs::attention_mask. A function
// that consumes a tensor has freed it, or made it its result, when it returns.

#include "models/bert/config.hpp"
#include "models/bert/placement.hpp"
#include "models/bert/preprocess.hpp"
#include "zoo/encoder/optimized.hpp"

namespace zoo::bert::optimized {

// Word, segment and position embeddings, summed and normalised: hidden.
[[nodiscard]] ttnn::Tensor embeddings(
    const Config& config, const EmbeddingsParameters& parameters, const Placement& place, const DeviceInputs& inputs);

using zoo::encoder::optimized::attention_output;
using zoo::encoder::optimized::encoder_layer;
using zoo::encoder::optimized::feed_forward;
using zoo::encoder::optimized::intermediate;
using zoo::encoder::optimized::pooler;
using zoo::encoder::optimized::self_attention;

// Consumes hidden.
[[nodiscard]] ttnn::Tensor encoder(
    const Config& config, const std::vector<LayerParameters>& layers, const Placement& place, ttnn::Tensor hidden,
    const ttnn::Tensor& mask);

// The last hidden state.
[[nodiscard]] ttnn::Tensor bert(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs);

// Results of the heads are interleaved. Errors when the parameters lack the head.
// Start and end logits: [batch, sequence, 2].
[[nodiscard]] ttnn::Tensor for_question_answering(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs);
// [batch, sequence, vocab_size]
[[nodiscard]] ttnn::Tensor for_masked_lm(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs);
// [batch, 1, num_labels]
[[nodiscard]] ttnn::Tensor for_sequence_classification(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs);
// The mean over tokens, scaled to length 1, FLOAT32: [batch, 1, hidden_size]. Needs no head.
[[nodiscard]] ttnn::Tensor sentence_embedding(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs);

}  // namespace zoo::bert::optimized
