// SPDX-License-Identifier: Apache-2.0
#include "models/albert/ttnn_albert.hpp"

namespace zoo::albert::functional {

namespace parts = zoo::encoder::functional;
using ttnn::Tensor;

// embedded [batch, sequence, embedding_size].
Tensor embedding_hidden_mapping(const Config&, const LinearParameters& parameters, const Tensor& embedded) {
    return parts::linear(parameters, embedded);
}

// hidden [batch, sequence, hidden_size], mask [batch, 1, 1, sequence].
Tensor encoder(
    const Config& config, const std::vector<std::vector<LayerParameters>>& groups, const Tensor& hidden,
    const Tensor& mask) {
    Tensor result = hidden;
    for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
        for (const LayerParameters& inner : groups[static_cast<std::size_t>(config.group_of(layer))]) {
            result = encoder_layer(config, inner, result, mask);
        }
    }
    return result;
}

Tensor albert(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    const Tensor embedded = embeddings(config, parameters.embeddings, inputs);
    const Tensor hidden = embedding_hidden_mapping(config, parameters.embedding_hidden_mapping, embedded);
    return encoder(config, parameters.groups, hidden, inputs.attention_mask);
}

Tensor for_question_answering(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::question_answering("albert::for_question_answering", parameters, albert(config, parameters, inputs));
}

Tensor for_masked_lm(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::masked_lm("albert::for_masked_lm", config, parameters, albert(config, parameters, inputs));
}

Tensor for_sequence_classification(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::sequence_classification(
        "albert::for_sequence_classification", config, parameters, albert(config, parameters, inputs));
}

Tensor sentence_embedding(const Config& config, const Parameters& parameters, const DeviceInputs& inputs) {
    return parts::sentence_embedding(albert(config, parameters, inputs), inputs.token_weights);
}

}  // namespace zoo::albert::functional
