// SPDX-License-Identifier: Apache-2.0
#include "models/bert/preprocess.hpp"

namespace zoo::bert {

Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device,
    const Heads& heads) {
    Parameters parameters{
        encoder::preprocess(weights, weights.embeddings.word_embeddings, format, device, heads),
        encoder::preprocess(weights.embeddings, device),
        {}};
    for (const LayerWeights& layer : weights.layers) {
        parameters.layers.push_back(encoder::preprocess(config, layer, format, device));
    }
    return parameters;
}

}  // namespace zoo::bert
