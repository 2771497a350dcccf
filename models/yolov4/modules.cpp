// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/modules.hpp"

#include <tt-metalium/mesh_device.hpp>

#include "models/yolov4/head_layout.hpp"
#include "models/yolov4/ttnn_optimized_yolov4.hpp"
#include "models/yolov4/ttnn_yolov4.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::yolov4 {
namespace {

// [1, channels, height, width] to [1, 1, height * width, channels], and back.
HostTensor to_rows(const HostTensor& x) {
    const std::int64_t channels = x.shape[1];
    return reshape(transpose(reshape(x, {channels, -1})), {1, 1, -1, channels});
}

HostTensor to_planes(const HostTensor& rows, const FeatureMap& map) {
    const std::int64_t channels = rows.shape.back();
    return reshape(transpose(reshape(rows, {-1, channels})), {1, channels, map.height, map.width});
}

HostTensor from_device(const FeatureMap& map) { return to_planes(to_host(map.tensor), map); }

}  // namespace

Modules::Modules(Plan plan, const Config& config, const Weights& weights, ttnn::MeshDevice& device)
    : plan_(plan), config_(config), device_(device) {
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    if (optimized()) {
        place_ = placement_for(config, device.compute_with_storage_grid_size());
        dtype = place_.weight_dtype;
    }
    parameters_ = preprocess(config, weights, dtype, device);
}

FeatureMap Modules::to_device(const HostTensor& x) const {
    FeatureMap map{
        .tensor = ttnn::Tensor(),
        .batch = 1,
        .height = static_cast<std::uint32_t>(x.shape[2]),
        .width = static_cast<std::uint32_t>(x.shape[3]),
        .channels = static_cast<std::uint32_t>(x.shape[1])};
    DeviceFormat format;
    if (optimized()) {
        const Placement::Stage& stage = place_.at(static_cast<std::uint32_t>(config_.width) / map.width);
        format.dtype = stage.dtype;
        format.memory_config = place_.shards(stage, map.height * map.width, map.channels);
    }
    map.tensor = from_host(to_rows(x), format, &device_);
    return map;
}

HostTensor Modules::head_map(const FeatureMap& map) const {
    return to_planes(HeadLayout(config_.num_classes).gather(to_host(map.tensor)), map);
}

HostTensor Modules::resblock(const ResblockParameters& parameters, const HostTensor& x) const {
    return from_device(
        optimized() ? optimized::resblock(config_, parameters, place_, to_device(x))
                    : functional::resblock(parameters, to_device(x)));
}

HostTensor Modules::ds1(const HostTensor& picture) const {
    const FeatureMap x{
        .tensor = preprocess(config_, picture, &device_),
        .batch = 1,
        .height = static_cast<std::uint32_t>(config_.height),
        .width = static_cast<std::uint32_t>(config_.width),
        .channels = 3};
    const Downsample1Parameters& down = parameters_.full.value().down1;
    return from_device(optimized() ? optimized::ds1(config_, down, place_, x) : functional::ds1(down, x));
}

HostTensor Modules::ds2(const HostTensor& x) const {
    const DownsampleParameters& down = parameters_.full.value().down2;
    return from_device(
        optimized() ? optimized::ds2(config_, down, place_, to_device(x)) : functional::ds2(down, to_device(x)));
}

HostTensor Modules::ds3(const HostTensor& x) const {
    const DownsampleParameters& down = parameters_.full.value().down3;
    return from_device(
        optimized() ? optimized::ds3(config_, down, place_, to_device(x)) : functional::ds3(down, to_device(x)));
}

HostTensor Modules::ds4(const HostTensor& x) const {
    const DownsampleParameters& down = parameters_.full.value().down4;
    return from_device(
        optimized() ? optimized::ds4(config_, down, place_, to_device(x)) : functional::ds4(down, to_device(x)));
}

HostTensor Modules::ds5(const HostTensor& x) const {
    const DownsampleParameters& down = parameters_.full.value().down5;
    return from_device(
        optimized() ? optimized::ds5(config_, down, place_, to_device(x)) : functional::ds5(down, to_device(x)));
}

std::array<HostTensor, 3> Modules::neck(
    const HostTensor& down5, const HostTensor& down4, const HostTensor& down3) const {
    const NeckParameters& neck = parameters_.full.value().neck;
    const auto maps = optimized()
                          ? optimized::neck(config_, neck, place_, to_device(down5), to_device(down4), to_device(down3))
                          : functional::neck(neck, to_device(down5), to_device(down4), to_device(down3));
    return {from_device(maps[0]), from_device(maps[1]), from_device(maps[2])};
}

std::array<HostTensor, 3> Modules::head(const std::array<HostTensor, 3>& maps) const {
    const HeadParameters& head = parameters_.full.value().head;
    const std::array<FeatureMap, 3> on_device{to_device(maps[0]), to_device(maps[1]), to_device(maps[2])};
    const auto result =
        optimized() ? optimized::head(config_, head, place_, on_device) : functional::head(head, on_device);
    return {head_map(result[0]), head_map(result[1]), head_map(result[2])};
}

Predictions Modules::yolov4(const HostTensor& picture) const {
    const ttnn::Tensor on_device = preprocess(config_, picture, &device_);
    return postprocess(
        config_, optimized() ? optimized::yolov4(config_, parameters_, place_, on_device)
                             : functional::yolov4(config_, parameters_, on_device));
}

std::array<HostTensor, 2> Modules::tiny_block(const TinyBlockParameters& parameters, const HostTensor& x) const {
    if (optimized()) {
        const auto maps = optimized::tiny_block(config_, parameters, place_, to_device(x));
        return {from_device(maps.inner), from_device(maps.pooled)};
    }
    const auto maps = functional::tiny_block(parameters, to_device(x));
    return {from_device(maps.inner), from_device(maps.pooled)};
}

std::array<HostTensor, 2> Modules::tiny_head(const HostTensor& pooled, const HostTensor& inner) const {
    const TinyHeadParameters& head = parameters_.tiny.value().head;
    const auto maps = optimized() ? optimized::tiny_head(config_, head, place_, to_device(pooled), to_device(inner))
                                  : functional::tiny_head(head, to_device(pooled), to_device(inner));
    return {head_map(maps[0]), head_map(maps[1])};
}

}  // namespace zoo::yolov4
