// SPDX-License-Identifier: Apache-2.0
#pragma once

// BERT on TTNN, plainly: bfloat16, interleaved in DRAM, TTNN's own choice of program configs. Any sequence length.
//
// hidden is [batch, sequence, hidden_size], TILE; mask is DeviceInputs::attention_mask. Nothing is consumed.

#include "models/bert/config.hpp"
#include "models/bert/preprocess.hpp"
#include "zoo/encoder/functional.hpp"

namespace zoo::bert::functional {

using zoo::encoder::functional::attention_output;
using zoo::encoder::functional::embeddings;
using zoo::encoder::functional::encoder_layer;
using zoo::encoder::functional::feed_forward;
using zoo::encoder::functional::intermediate;
using zoo::encoder::functional::pooler;
using zoo::encoder::functional::self_attention;

[[nodiscard]] ttnn::Tensor encoder(
    const Config& config, const std::vector<LayerParameters>& layers, const ttnn::Tensor& hidden,
    const ttnn::Tensor& mask);

// The last hidden state.
[[nodiscard]] ttnn::Tensor bert(const Config& config, const Parameters& parameters, const DeviceInputs& inputs);

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
