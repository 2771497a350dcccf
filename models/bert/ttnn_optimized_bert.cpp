// SPDX-License-Identifier: Apache-2.0
#include "models/bert/ttnn_optimized_bert.hpp"

#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"

namespace zoo::bert::optimized {

namespace parts = zoo::encoder::optimized;
using ttnn::Tensor;

// ids [batch, sequence], UINT32, ROW_MAJOR; not consumed.
Tensor embeddings(
    const Config& config, const EmbeddingsParameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    Tensor sum = parts::sum_of_embeddings(parameters, place, inputs);
    const Tensor hidden = ttnn::to_memory_config(sum, place.memory.hidden);
    ttnn::deallocate(sum);
    return parts::layer_norm(config, parameters.layer_norm, place, hidden);
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor encoder(
    const Config& config, const std::vector<LayerParameters>& layers, const Placement& place, Tensor hidden,
    const Tensor& mask) {
    for (const LayerParameters& layer : layers) {
        hidden = encoder_layer(config, layer, place, std::move(hidden), mask);
    }
    return hidden;
}

// Inputs are not consumed.
Tensor bert(const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    Tensor hidden = embeddings(config, parameters.embeddings, place, inputs);
    return encoder(config, parameters.layers, place, std::move(hidden), inputs.attention_mask);
}

Tensor for_question_answering(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::question_answering(
        "bert::for_question_answering", parameters, place, bert(config, parameters, place, inputs));
}

Tensor for_masked_lm(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::masked_lm("bert::for_masked_lm", config, parameters, place, bert(config, parameters, place, inputs));
}

Tensor for_sequence_classification(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::sequence_classification(
        "bert::for_sequence_classification", config, parameters, place, bert(config, parameters, place, inputs));
}

Tensor sentence_embedding(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::sentence_embedding(place, bert(config, parameters, place, inputs), inputs.token_weights);
}

}  // namespace zoo::bert::optimized
