// SPDX-License-Identifier: Apache-2.0
#include "models/albert/torch_albert.hpp"

#include "zoo/encoder/torch_network.hpp"

namespace zoo::albert::golden {
namespace {

namespace network = zoo::encoder::network;

at::Tensor layers_of(
    const Config& config, const std::vector<std::vector<LayerWeights>>& groups, at::Tensor hidden,
    const at::Tensor& mask) {
    for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
        for (const LayerWeights& inner : groups[static_cast<std::size_t>(config.group_of(layer))]) {
            hidden = network::encoder_layer(config, inner, hidden, mask);
        }
    }
    return hidden;
}

at::Tensor last_hidden(const Config& config, const Weights& weights, const Inputs& inputs) {
    validate(config, inputs);
    const HostTensor mask = additive_mask(inputs);
    const at::Tensor embedded = network::embeddings(config, weights.embeddings, inputs);
    const at::Tensor hidden = network::linear(weights.embedding_hidden_mapping, embedded);
    return layers_of(config, weights.groups, hidden, torch_view(mask));
}

}  // namespace

HostTensor embedding_hidden_mapping(const Config&, const Linear& weights, const HostTensor& embedded) {
    return from_torch(network::linear(weights, torch_view(embedded)));
}

HostTensor encoder(
    const Config& config, const std::vector<std::vector<LayerWeights>>& groups, const HostTensor& hidden,
    const HostTensor& mask) {
    return from_torch(layers_of(config, groups, torch_view(hidden), torch_view(mask)));
}

HostTensor albert(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(last_hidden(config, weights, inputs));
}

HostTensor for_question_answering(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(
        network::question_answering("albert::for_question_answering", weights, last_hidden(config, weights, inputs)));
}

HostTensor for_masked_lm(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(network::masked_lm(
        "albert::for_masked_lm", config, weights, weights.embeddings.word_embeddings,
        last_hidden(config, weights, inputs)));
}

HostTensor for_sequence_classification(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(network::sequence_classification(
        "albert::for_sequence_classification", weights, last_hidden(config, weights, inputs)));
}

HostTensor sentence_embedding(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(network::sentence_embedding(inputs, last_hidden(config, weights, inputs)));
}

}  // namespace zoo::albert::golden
