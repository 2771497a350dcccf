// SPDX-License-Identifier: Apache-2.0
#include "models/albert/preprocess.hpp"

namespace zoo::albert {

Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device,
    const Heads& heads) {
    Parameters parameters{
        encoder::preprocess(weights, weights.embeddings.word_embeddings, format, device, heads),
        encoder::preprocess(weights.embeddings, device),
        encoder::preprocess(weights.embedding_hidden_mapping, format, device),
        {}};
    for (const auto& group : weights.groups) {
        auto& layers = parameters.groups.emplace_back();
        for (const LayerWeights& layer : group) {
            layers.push_back(encoder::preprocess(config, layer, format, device));
        }
    }
    return parameters;
}

}  // namespace zoo::albert
