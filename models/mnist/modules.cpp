// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/modules.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/mnist/ttnn_mnist.hpp"
#include "models/mnist/ttnn_optimized_mnist.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::mnist {
namespace {

// [1, 1, batch, width] to the golden's [batch, width].
HostTensor rows(const ttnn::Tensor& tensor) {
    HostTensor host = to_host(tensor);
    return reshape(host, {host.shape[2], host.shape[3]});
}

}  // namespace

Modules::Modules(Plan plan, const Config& config, const Weights& weights, std::int64_t batch, ttnn::MeshDevice& device)
    : plan_(plan), config_(config), device_(device) {
    if (optimized()) {
        place_ = placement_for(config, batch, device.compute_with_storage_grid_size());
    }
    format_ = optimized() ? optimized_format(place_) : functional_format();
    parameters_ = preprocess(config, weights, format_, device);
}

FeatureMap Modules::input(const HostTensor& images) const {
    return images_map(preprocess_images(images, format_.input_channels, &device_), config_.size());
}

HostTensor Modules::block(std::size_t index, const HostTensor& x) const {
    const ConvParameters& parameters = parameters_.convolutions.at(index);
    const FeatureMap map = index == 0 ? input(x) : to_feature_map(x, device_);
    return to_host(
        optimized() ? optimized::block(config_, parameters, place_, map) : functional::block(config_, parameters, map));
}

HostTensor Modules::features(const HostTensor& images) const {
    return to_host(
        optimized() ? optimized::features(config_, parameters_, place_, input(images))
                    : functional::features(config_, parameters_, input(images)));
}

HostTensor Modules::classifier(const HostTensor& x) const {
    const FeatureMap map = to_feature_map(x, device_);
    return rows(
        optimized() ? optimized::classifier(config_, parameters_, place_, map)
                    : functional::classifier(config_, parameters_, map));
}

HostTensor Modules::mnist(const HostTensor& images) const {
    return rows(
        optimized() ? optimized::mnist(config_, parameters_, place_, input(images))
                    : functional::mnist(config_, parameters_, input(images)));
}

}  // namespace zoo::mnist
