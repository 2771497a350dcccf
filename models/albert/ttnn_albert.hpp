// SPDX-License-Identifier: Apache-2.0
#pragma once

// ALBERT on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of program configs. Any sequence length.
//
// hidden is [batch, sequence, hidden_size], TILE; mask is DeviceInputs::attention_mask. Nothing is consumed.

#include "models/albert/config.hpp"
#include "models/albert/preprocess.hpp"
#include "zoo/encoder/functional.hpp"

namespace zoo::albert::functional {

using zoo::encoder::functional::attention_output;
using zoo::encoder::functional::embeddings;  // [batch, sequence, embedding_size]
using zoo::encoder::functional::encoder_layer;
using zoo::encoder::functional::feed_forward;
using zoo::encoder::functional::intermediate;
using zoo::encoder::functional::pooler;
using zoo::encoder::functional::self_attention;

// From [batch, sequence, embedding_size] to hidden.
[[nodiscard]] ttnn::Tensor embedding_hidden_mapping(
    const Config& config, const LinearParameters& parameters, const ttnn::Tensor& embedded);

// All layers, each with the parameters of its group.
[[nodiscard]] ttnn::Tensor encoder(
    const Config& config, const std::vector<std::vector<LayerParameters>>& groups, const ttnn::Tensor& hidden,
    const ttnn::Tensor& mask);

// The last hidden state.
[[nodiscard]] ttnn::Tensor albert(const Config& config, const Parameters& parameters, const DeviceInputs& inputs);

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

}  // namespace zoo::albert::functional
