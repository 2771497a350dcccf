// SPDX-License-Identifier: Apache-2.0
#include "tests/models/encoder/planned_layer.hpp"

#include <ttnn/device.hpp>

#include "zoo/device_tensor.hpp"
#include "zoo/encoder/functional.hpp"
#include "zoo/encoder/optimized.hpp"

namespace zoo::encoder {

PlannedLayer::PlannedLayer(
    Plan plan, const LayerSpec& spec, const LayerWeights& layer, const Linear& pooler, std::int64_t batch,
    std::int64_t sequence, ttnn::MeshDevice& device)
    : plan_(plan), spec_(spec), device_(device) {
    if (optimized()) {
        place_ = placement_for("test", spec, batch, sequence, device.compute_with_storage_grid_size());
    }
    const ParameterFormat format = optimized() ? optimized_format(place_) : functional_format();
    layer_ = preprocess(spec, layer, format, device);
    pooler_ = preprocess(pooler, format, device);
}

ttnn::Tensor PlannedLayer::hidden(const HostTensor& tensor) const {
    return optimized()
               ? from_host(tensor, {.dtype = place_.hidden_dtype, .memory_config = place_.memory.hidden}, &device_)
               : from_host(tensor, {}, &device_);
}

ttnn::Tensor PlannedLayer::context(const HostTensor& tensor) const {
    return optimized()
               ? from_host(tensor, {.dtype = place_.inner_dtype, .memory_config = place_.memory.joined}, &device_)
               : from_host(tensor, {}, &device_);
}

HostTensor PlannedLayer::self_attention(const HostTensor& tensor, const Inputs& inputs) const {
    const ttnn::Tensor mask = preprocess_mask(inputs, &device_);
    return to_host(
        optimized() ? optimized::self_attention(spec_, layer_.attention, place_, hidden(tensor), mask)
                    : functional::self_attention(spec_, layer_.attention, hidden(tensor), mask));
}

HostTensor PlannedLayer::attention_output(const HostTensor& joined, const HostTensor& tensor) const {
    return to_host(
        optimized() ? optimized::attention_output(spec_, layer_.attention, place_, context(joined), hidden(tensor))
                    : functional::attention_output(spec_, layer_.attention, context(joined), hidden(tensor)));
}

HostTensor PlannedLayer::intermediate(const HostTensor& tensor) const {
    const auto& linear = layer_.feed_forward.intermediate;
    return to_host(
        optimized() ? optimized::intermediate(spec_, linear, place_, hidden(tensor))
                    : functional::intermediate(spec_, linear, hidden(tensor)));
}

HostTensor PlannedLayer::feed_forward(const HostTensor& tensor) const {
    return to_host(
        optimized() ? optimized::feed_forward(spec_, layer_.feed_forward, place_, hidden(tensor))
                    : functional::feed_forward(spec_, layer_.feed_forward, hidden(tensor)));
}

HostTensor PlannedLayer::encoder_layer(const HostTensor& tensor, const Inputs& inputs) const {
    const ttnn::Tensor mask = preprocess_mask(inputs, &device_);
    return to_host(
        optimized() ? optimized::encoder_layer(spec_, layer_, place_, hidden(tensor), mask)
                    : functional::encoder_layer(spec_, layer_, hidden(tensor), mask));
}

// [batch, 1, width], which a device keeps in tiles, to the golden's [batch, width].
HostTensor PlannedLayer::pooler(const HostTensor& tensor) const {
    HostTensor pooled = to_host(
        optimized() ? optimized::pooler(spec_, pooler_, place_, hidden(tensor))
                    : functional::pooler(spec_, pooler_, hidden(tensor)));
    return reshape(pooled, {pooled.shape[0], pooled.shape[2]});
}

}  // namespace zoo::encoder
