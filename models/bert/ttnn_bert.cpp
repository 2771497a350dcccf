// SPDX-License-Identifier: Apache-2.0
#include "models/bert/ttnn_bert.hpp"

namespace zoo::bert::functional {

namespace parts = zoo::encoder::functional;
using ttnn::Tensor;

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence].
Tensor encoder(
    const Config& config, const std::vector<LayerParameters>& layers, const Tensor& hidden, const Tensor& mask) {
    Tensor result = hidden;
    for (const LayerParameters& layer : layers) {
        result = encoder_layer(config, layer, result, mask);
    }
    return result;
}

Tensor bert(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const Tensor hidden = embeddings(config, parameters.embeddings, inputs);
    return encoder(config, parameters.layers, hidden, inputs.attention_mask);
}

Tensor for_question_answering(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::question_answering("bert::for_question_answering", parameters, bert(config, parameters, inputs));
}

Tensor for_masked_lm(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::masked_lm("bert::for_masked_lm", config, parameters, bert(config, parameters, inputs));
}

Tensor for_sequence_classification(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::sequence_classification(
        "bert::for_sequence_classification", config, parameters, bert(config, parameters, inputs));
}

Tensor sentence_embedding(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::sentence_embedding(bert(config, parameters, inputs), inputs.token_weights);
}

}  // namespace zoo::bert::functional
