// SPDX-License-Identifier: Apache-2.0
#include "tests/models/bert/plans.hpp"

#include <ttnn/device.hpp>

#include "models/bert/ttnn_bert.hpp"
#include "models/bert/ttnn_optimized_bert.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::bert {
namespace {

// [batch, 1, width], which a device keeps in tiles, to the golden's [batch, width].
HostTensor rows(const ttnn::Tensor& tensor) {
    HostTensor host = to_host(tensor);
    return reshape(host, {host.shape[0], host.shape[2]});
}

}  // namespace

PlannedModel::PlannedModel(
    Plan plan, const Config& config, const Weights& weights, std::int64_t batch, std::int64_t sequence,
    ttnn::MeshDevice& device)
    : plan_(plan), config_(config), device_(device) {
    if (optimized()) {
        place_ = placement_for(config, batch, sequence, device.compute_with_storage_grid_size());
    }
    parameters_ = preprocess(config, weights, optimized() ? optimized_format(place_) : functional_format(), device);
}

HostTensor PlannedModel::embeddings(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return to_host(
        optimized() ? optimized::embeddings(config_, parameters_.embeddings, place_, on_device)
                    : functional::embeddings(config_, parameters_.embeddings, on_device));
}

HostTensor PlannedModel::bert(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return to_host(
        optimized() ? optimized::bert(config_, parameters_, place_, on_device)
                    : functional::bert(config_, parameters_, on_device));
}

HostTensor PlannedModel::for_question_answering(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return to_host(
        optimized() ? optimized::for_question_answering(config_, parameters_, place_, on_device)
                    : functional::for_question_answering(config_, parameters_, on_device));
}

HostTensor PlannedModel::for_masked_lm(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return to_host(
        optimized() ? optimized::for_masked_lm(config_, parameters_, place_, on_device)
                    : functional::for_masked_lm(config_, parameters_, on_device));
}

HostTensor PlannedModel::for_sequence_classification(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return rows(
        optimized() ? optimized::for_sequence_classification(config_, parameters_, place_, on_device)
                    : functional::for_sequence_classification(config_, parameters_, on_device));
}

HostTensor PlannedModel::sentence_embedding(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return rows(
        optimized() ? optimized::sentence_embedding(config_, parameters_, place_, on_device)
                    : functional::sentence_embedding(config_, parameters_, on_device));
}

}  // namespace zoo::bert
