// SPDX-License-Identifier: Apache-2.0
#include "models/albert/ttnn_optimized_albert.hpp"

#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "zoo/op_args.hpp"

namespace zoo::albert::optimized {

namespace parts = zoo::encoder::optimized;
using ttnn::Tensor;

// ids [batch, sequence], UINT32, ROW_MAJOR; not consumed. A row of a few tiles is not worth sharding.
Tensor embeddings(
    const Config& config, const EmbeddingsParameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    Tensor sum = parts::sum_of_embeddings(parameters, place, inputs);
    Tensor embedded = parts::interleaved_layer_norm(config, parameters.layer_norm, place, sum);
    ttnn::deallocate(sum);
    return embedded;
}

// embedded [batch, sequence, embedding_size], interleaved, consumed.
Tensor embedding_hidden_mapping(
    const Config&, const LinearParameters& parameters, const Placement& place, Tensor embedded) {
    Tensor hidden = zoo::linear(
        embedded, parameters.weight,
        {.bias = parameters.bias,
         .memory_config = place.memory.hidden,
         .dtype = place.hidden_dtype,
         .program_config = place.embedding_hidden_mapping,
         .compute_kernel_config = place.matmul_kernel});
    ttnn::deallocate(embedded);
    return hidden;
}

// hidden [batch, sequence, hidden_size], block sharded, consumed.
Tensor encoder(
    const Config& config, const std::vector<std::vector<LayerParameters>>& groups, const Placement& place,
    Tensor hidden, const Tensor& mask) {
    for (std::int64_t layer = 0; layer < config.num_hidden_layers; ++layer) {
        for (const LayerParameters& inner : groups[static_cast<std::size_t>(config.group_of(layer))]) {
            hidden = encoder_layer(config, inner, place, std::move(hidden), mask);
        }
    }
    return hidden;
}

// Inputs are not consumed.
Tensor albert(const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    Tensor embedded = embeddings(config, parameters.embeddings, place, inputs);
    Tensor hidden = embedding_hidden_mapping(config, parameters.embedding_hidden_mapping, place, std::move(embedded));
    return encoder(config, parameters.groups, place, std::move(hidden), inputs.attention_mask);
}

Tensor for_question_answering(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::question_answering(
        "albert::for_question_answering", parameters, place, albert(config, parameters, place, inputs));
}

Tensor for_masked_lm(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::masked_lm(
        "albert::for_masked_lm", config, parameters, place, albert(config, parameters, place, inputs));
}

Tensor for_sequence_classification(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::sequence_classification(
        "albert::for_sequence_classification", config, parameters, place, albert(config, parameters, place, inputs));
}

Tensor sentence_embedding(
    const Config& config, const Parameters& parameters, const Placement& place, const DeviceInputs& inputs) {
    return parts::sentence_embedding(place, albert(config, parameters, place, inputs), inputs.token_weights);
}

}  // namespace zoo::albert::optimized
