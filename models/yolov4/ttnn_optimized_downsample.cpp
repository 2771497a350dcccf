// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/yolov4/ttnn_optimized_layers.hpp"
#include "models/yolov4/ttnn_optimized_yolov4.hpp"

namespace zoo::yolov4::optimized {
namespace {

// x [height, width, channels] to [height / 2, width / 2, 2 * channels].
FeatureMap downsample(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x) {
    const Layers layers(config, place);
    FeatureMap x1 = layers.conv(parameters.conv1, x);
    FeatureMap x2 = layers.conv(parameters.conv2, x1);
    FeatureMap x3 = layers.conv(parameters.conv3, std::move(x1));
    FeatureMap x4 = layers.conv(parameters.conv4, resblock(config, parameters.resblock, place, std::move(x3)));
    return layers.conv(parameters.conv5, layers.take_and_join({std::move(x4), std::move(x2)}));
}

}  // namespace

FeatureMap resblock(const Config& config, const ResblockParameters& parameters, const Placement& place, FeatureMap x) {
    const Layers layers(config, place);
    for (const auto& [narrow, wide] : parameters.blocks) {
        FeatureMap inner = layers.conv(wide, layers.conv(narrow, x));
        x = layers.add(std::move(x), std::move(inner));
    }
    return x;
}

// x [height, width, 3] in DRAM to [height / 2, width / 2, 2 * base_channels].
FeatureMap ds1(
    const Config& config, const Downsample1Parameters& parameters, const Placement& place, const FeatureMap& x) {
    const Layers layers(config, place);
    FeatureMap x2 = layers.conv(parameters.conv2, layers.conv(parameters.conv1, x));
    FeatureMap x3 = layers.conv(parameters.conv3, x2);
    FeatureMap x4 = layers.conv(parameters.conv4, std::move(x2));
    FeatureMap inner = layers.conv(parameters.conv6, layers.conv(parameters.conv5, x4));
    FeatureMap x7 = layers.conv(parameters.conv7, layers.add(std::move(x4), std::move(inner)));
    return layers.conv(parameters.conv8, layers.take_and_join({std::move(x7), std::move(x3)}));
}

FeatureMap ds2(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x) {
    return downsample(config, parameters, place, x);
}
FeatureMap ds3(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x) {
    return downsample(config, parameters, place, x);
}
FeatureMap ds4(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x) {
    return downsample(config, parameters, place, x);
}
FeatureMap ds5(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x) {
    return downsample(config, parameters, place, x);
}

}  // namespace zoo::yolov4::optimized
