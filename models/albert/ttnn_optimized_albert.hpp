// SPDX-License-Identifier: Apache-2.0
#pragma once

// ALBERT on TTNN, tuned: bfloat8_b weights, block-sharded activations in L1, fused GELU, and every core grid, memory and
// program config from the Placement. Batch and sequence are the placement's.
//
// hidden is [batch, sequence, hidden_size], TILE, place.memory.hidden; mask is DeviceInputs::attention_mask. A function
// that consumes a tensor has freed it, or made it its result, when it returns.

#include "models/albert/config.hpp"
#include "models/albert/placement.hpp"
#include "models/albert/preprocess.hpp"
#include "zoo/encoder/optimized.hpp"

namespace zoo::albert::optimized {

using zoo::encoder::optimized::attention_output;
using zoo::encoder::optimized::encoder_layer;
using zoo::encoder::optimized::feed_forward;
using zoo::encoder::optimized::intermediate;
using zoo::encoder::optimized::pooler;
using zoo::encoder::optimized::self_attention;

// Word, segment and position embeddings, summed and normalised: [batch, sequence, embedding_size], interleaved in L1.
[[nodiscard]] ttnn::Tensor embeddings(
    const Config& config, const EmbeddingsParameters& parameters, const Placement& place, const DeviceInputs& inputs);

// From [batch, sequence, embedding_size] to hidden. Consumes `embedded`.
[[nodiscard]] ttnn::Tensor embedding_hidden_mapping(
    const Config& config, const LinearParameters& parameters, const Placement& place, ttnn::Tensor embedded);

// All layers, each with the parameters of its group. Consumes hidden.
[[nodiscard]] ttnn::Tensor encoder(
    const Config& config, const std::vector<std::vector<LayerParameters>>& groups, const Placement& place,
    ttnn::Tensor hidden, const ttnn::Tensor& mask);

// The last hidden state.
[[nodiscard]] ttnn::Tensor albert(
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

}  // namespace zoo::albert::optimized
