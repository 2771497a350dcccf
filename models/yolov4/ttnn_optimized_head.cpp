// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/yolov4/ttnn_optimized_layers.hpp"
#include "models/yolov4/ttnn_optimized_yolov4.hpp"

namespace zoo::yolov4::optimized {

// The neck's maps, the finest first, to interleaved maps of HeadLayout's columns.
std::array<FeatureMap, 3> head(
    const Config& config, const HeadParameters& p, const Placement& place, std::array<FeatureMap, 3> maps) {
    const Layers layers(config, place);
    auto& [fine, middle, coarse] = maps;
    FeatureMap x2 = layers.head_conv(p.conv2, layers.conv(p.conv1, fine));

    FeatureMap x3 = layers.conv(p.conv3, std::move(fine));
    FeatureMap x4 = layers.conv(p.conv4, layers.take_and_join({std::move(x3), std::move(middle)}));
    FeatureMap x6 = layers.conv(p.conv6, layers.conv(p.conv5, std::move(x4)));
    FeatureMap x8 = layers.conv(p.conv8, layers.conv(p.conv7, std::move(x6)));
    FeatureMap x10 = layers.head_conv(p.conv10, layers.conv(p.conv9, x8));

    FeatureMap x11 = layers.conv(p.conv11, std::move(x8));
    FeatureMap x12 = layers.conv(p.conv12, layers.take_and_join({std::move(x11), std::move(coarse)}));
    FeatureMap x14 = layers.conv(p.conv14, layers.conv(p.conv13, std::move(x12)));
    FeatureMap x16 = layers.conv(p.conv16, layers.conv(p.conv15, std::move(x14)));
    FeatureMap x18 = layers.head_conv(p.conv18, layers.conv(p.conv17, std::move(x16)));
    return {std::move(x2), std::move(x10), std::move(x18)};
}

}  // namespace zoo::yolov4::optimized
