// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/modules.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/mobilenetv2/ttnn_mobilenetv2.hpp"
#include "models/mobilenetv2/ttnn_optimized_mobilenetv2.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::mobilenetv2 {
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

HostTensor Modules::stem(const HostTensor& images) const {
    return to_host(
        optimized() ? optimized::stem(config_, parameters_.stem, place_, input(images))
                    : functional::stem(config_, parameters_.stem, input(images)));
}

HostTensor Modules::inverted_residual(std::size_t block, const HostTensor& x) const {
    const BlockShape shape = config_.blocks().at(block);
    const BlockParameters& parameters = parameters_.blocks.at(block);
    const FeatureMap map = to_feature_map(x, device_, optimized() ? place_.stream_dtype : ttnn::DataType::BFLOAT16);
    return to_host(
        optimized() ? optimized::inverted_residual(config_, parameters, place_, place_.blocks.at(block), shape, map)
                    : functional::inverted_residual(config_, parameters, shape, map));
}

HostTensor Modules::features(const HostTensor& images) const {
    return to_host(
        optimized() ? optimized::features(config_, parameters_, place_, input(images))
                    : functional::features(config_, parameters_, input(images)));
}

HostTensor Modules::classifier(const HostTensor& x) const {
    const FeatureMap map = to_feature_map(x, device_);
    return rows(
        optimized() ? optimized::classifier(config_, parameters_.classifier, place_, map)
                    : functional::classifier(config_, parameters_.classifier, map));
}

HostTensor Modules::mobilenetv2(const HostTensor& images) const {
    return rows(
        optimized() ? optimized::mobilenetv2(config_, parameters_, place_, input(images))
                    : functional::mobilenetv2(config_, parameters_, input(images)));
}

}  // namespace zoo::mobilenetv2
