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

ttnn::Tensor PlannedModel::hidden(const HostTensor& tensor) const {
    return optimized()
               ? from_host(tensor, {.dtype = place_.hidden_dtype, .memory_config = place_.memory.hidden}, &device_)
               : from_host(tensor, {}, &device_);
}

ttnn::Tensor PlannedModel::context(const HostTensor& tensor) const {
    return optimized()
               ? from_host(tensor, {.dtype = place_.inner_dtype, .memory_config = place_.memory.joined}, &device_)
               : from_host(tensor, {}, &device_);
}

HostTensor PlannedModel::embeddings(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return to_host(
        optimized() ? optimized::embeddings(config_, parameters_.embeddings, place_, on_device)
                    : functional::embeddings(config_, parameters_.embeddings, on_device));
}

HostTensor PlannedModel::self_attention(const HostTensor& tensor, const Inputs& inputs) const {
    const auto& attention = parameters_.layers[0].attention;
    const ttnn::Tensor mask = preprocess_mask(inputs, &device_);
    return to_host(
        optimized() ? optimized::self_attention(config_, attention, place_, hidden(tensor), mask)
                    : functional::self_attention(config_, attention, hidden(tensor), mask));
}

HostTensor PlannedModel::attention_output(const HostTensor& joined, const HostTensor& tensor) const {
    const auto& attention = parameters_.layers[0].attention;
    return to_host(
        optimized() ? optimized::attention_output(config_, attention, place_, context(joined), hidden(tensor))
                    : functional::attention_output(config_, attention, context(joined), hidden(tensor)));
}

HostTensor PlannedModel::intermediate(const HostTensor& tensor) const {
    const auto& linear = parameters_.layers[0].feed_forward.intermediate;
    return to_host(
        optimized() ? optimized::intermediate(config_, linear, place_, hidden(tensor))
                    : functional::intermediate(config_, linear, hidden(tensor)));
}

HostTensor PlannedModel::feed_forward(const HostTensor& tensor) const {
    const auto& feed_forward = parameters_.layers[0].feed_forward;
    return to_host(
        optimized() ? optimized::feed_forward(config_, feed_forward, place_, hidden(tensor))
                    : functional::feed_forward(config_, feed_forward, hidden(tensor)));
}

HostTensor PlannedModel::encoder_layer(const HostTensor& tensor, const Inputs& inputs) const {
    const ttnn::Tensor mask = preprocess_mask(inputs, &device_);
    return to_host(
        optimized() ? optimized::encoder_layer(config_, parameters_.layers[0], place_, hidden(tensor), mask)
                    : functional::encoder_layer(config_, parameters_.layers[0], hidden(tensor), mask));
}

HostTensor PlannedModel::encoder(const HostTensor& tensor, const Inputs& inputs) const {
    const ttnn::Tensor mask = preprocess_mask(inputs, &device_);
    return to_host(
        optimized() ? optimized::encoder(config_, parameters_.layers, place_, hidden(tensor), mask)
                    : functional::encoder(config_, parameters_.layers, hidden(tensor), mask));
}

HostTensor PlannedModel::bert(const Inputs& inputs) const {
    const DeviceInputs on_device = preprocess(config_, inputs, &device_);
    return to_host(
        optimized() ? optimized::bert(config_, parameters_, place_, on_device)
                    : functional::bert(config_, parameters_, on_device));
}

HostTensor PlannedModel::pooler(const HostTensor& tensor) const {
    return rows(
        optimized() ? optimized::pooler(config_, parameters_.pooler.value(), place_, hidden(tensor))
                    : functional::pooler(config_, parameters_.pooler.value(), hidden(tensor)));
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
