// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/modules.hpp"

#include <ttnn/device.hpp>

#include "models/resnet/ttnn_optimized_resnet.hpp"
#include "models/resnet/ttnn_resnet.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::resnet {
namespace {

// Between [batch, channels, side, side] and [1, 1, batch * side * side, channels].
HostTensor turned(const HostTensor& from, std::int64_t batch, std::int64_t rows, std::int64_t columns) {
    HostTensor to = from;
    for (std::int64_t image = 0; image < batch; ++image) {
        for (std::int64_t row = 0; row < rows; ++row) {
            for (std::int64_t column = 0; column < columns; ++column) {
                to.data[static_cast<std::size_t>((image * columns + column) * rows + row)] =
                    from.data[static_cast<std::size_t>((image * rows + row) * columns + column)];
            }
        }
    }
    return to;
}

HostTensor planes(const FeatureMap& map) {
    const HostTensor pixels = to_host(map.tensor);
    const std::int64_t area = std::int64_t{map.height} * map.width;
    HostTensor result = turned(pixels, map.batch, area, map.channels);
    result.shape = {map.batch, map.channels, map.height, map.width};
    return result;
}

HostTensor rows(const ttnn::Tensor& logits) {
    HostTensor host = to_host(logits);
    host.shape = {host.shape[2], host.shape[3]};
    return host;
}

}  // namespace

Modules::Modules(Plan plan, const Config& config, const Weights& weights, std::int64_t batch, ttnn::MeshDevice& device)
    : plan_(plan), config_(config), device_(device), format_(functional_format()) {
    if (optimized()) {
        place_ = placement_for(config, batch, device.compute_with_storage_grid_size());
        format_ = optimized_format(place_);
    }
    parameters_ = preprocess(config, weights, format_, device);
}

FeatureMap Modules::on_device(const HostTensor& x) const {
    const std::int64_t area = x.shape[2] * x.shape[3];
    HostTensor pixels = turned(x, x.shape[0], x.shape[1], area);
    pixels.shape = {1, 1, x.shape[0] * area, x.shape[1]};
    const DeviceFormat format =
        optimized()
            ? DeviceFormat{.dtype = place_.activation_dtype, .memory_config = ttnn::MemoryConfig(ttnn::TensorMemoryLayout::INTERLEAVED, ttnn::BufferType::L1)}
            : DeviceFormat{};
    return {
        .tensor = from_host(pixels, format, &device_),
        .batch = static_cast<std::uint32_t>(x.shape[0]),
        .height = static_cast<std::uint32_t>(x.shape[2]),
        .width = static_cast<std::uint32_t>(x.shape[3]),
        .channels = static_cast<std::uint32_t>(x.shape[1])};
}

FeatureMap Modules::images_on_device(const HostTensor& images) const {
    return images_map(config_, preprocess_images(config_, images, format_, &device_));
}

HostTensor Modules::stem(const HostTensor& images) const {
    const FeatureMap input = images_on_device(images);
    return planes(
        optimized() ? optimized::stem(config_, parameters_.stem, place_, input)
                    : functional::stem(config_, parameters_.stem, input));
}

HostTensor Modules::block(std::size_t stage, std::size_t index, const HostTensor& x) const {
    const BlockParameters& block = parameters_.layers[stage][index];
    const std::uint32_t stride = index == 0 ? Config::stride(stage) : 1;
    if (config_.bottleneck()) {
        return planes(
            optimized() ? optimized::bottleneck(config_, block, place_, stage, stride, on_device(x))
                        : functional::bottleneck(config_, block, stride, on_device(x)));
    }
    return planes(
        optimized() ? optimized::basic_block(config_, block, place_, stage, stride, on_device(x))
                    : functional::basic_block(config_, block, stride, on_device(x)));
}

HostTensor Modules::layer(std::size_t stage, const HostTensor& x) const {
    const auto& blocks = parameters_.layers[stage];
    return planes(
        optimized() ? optimized::layer(config_, blocks, place_, stage, on_device(x))
                    : functional::layer(config_, blocks, stage, on_device(x)));
}

HostTensor Modules::head(const HostTensor& x) const {
    return rows(
        optimized() ? optimized::head(config_, parameters_.fc, place_, on_device(x))
                    : functional::head(config_, parameters_.fc, on_device(x)));
}

HostTensor Modules::resnet(const HostTensor& images) const {
    const FeatureMap input = images_on_device(images);
    return rows(
        optimized() ? optimized::resnet(config_, parameters_, place_, input)
                    : functional::resnet(config_, parameters_, input));
}

}  // namespace zoo::resnet
