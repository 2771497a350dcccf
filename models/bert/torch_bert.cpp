// SPDX-License-Identifier: Apache-2.0
#include "models/bert/torch_bert.hpp"

#include "zoo/encoder/torch_network.hpp"

namespace zoo::bert::golden {
namespace {

namespace network = zoo::encoder::network;

at::Tensor layers_of(
    const Config& config, const std::vector<LayerWeights>& layers, at::Tensor hidden, const at::Tensor& mask) {
    for (const LayerWeights& layer : layers) {
        hidden = network::encoder_layer(config, layer, hidden, mask);
    }
    return hidden;
}

at::Tensor last_hidden(const Config& config, const Weights& weights, const Inputs& inputs) {
    validate(config, inputs);
    const HostTensor mask = additive_mask(inputs);
    return layers_of(config, weights.layers, network::embeddings(config, weights.embeddings, inputs), torch_view(mask));
}

}  // namespace

HostTensor encoder(
    const Config& config, const std::vector<LayerWeights>& layers, const HostTensor& hidden, const HostTensor& mask) {
    return from_torch(layers_of(config, layers, torch_view(hidden), torch_view(mask)));
}

HostTensor bert(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(last_hidden(config, weights, inputs));
}

HostTensor for_question_answering(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(
        network::question_answering("bert::for_question_answering", weights, last_hidden(config, weights, inputs)));
}

HostTensor for_masked_lm(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(network::masked_lm(
        "bert::for_masked_lm", config, weights, weights.embeddings.word_embeddings,
        last_hidden(config, weights, inputs)));
}

HostTensor for_sequence_classification(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(network::sequence_classification(
        "bert::for_sequence_classification", weights, last_hidden(config, weights, inputs)));
}

HostTensor sentence_embedding(const Config& config, const Weights& weights, const Inputs& inputs) {
    return from_torch(network::sentence_embedding(inputs, last_hidden(config, weights, inputs)));
}

}  // namespace zoo::bert::golden
