// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/yolov4/ttnn_optimized_layers.hpp"
#include "models/yolov4/ttnn_optimized_yolov4.hpp"

namespace zoo::yolov4::optimized {

// down5 [height / 32, width / 32, 32 * base], down4 and down3 twice and four times as large with half and a quarter of the channels.
std::array<FeatureMap, 3> neck(
    const Config& config, const NeckParameters& p, const Placement& place, const FeatureMap& down5,
    const FeatureMap& down4, const FeatureMap& down3) {
    const Layers layers(config, place);
    FeatureMap x3 = layers.conv(p.conv3, layers.conv(p.conv2, layers.conv(p.conv1, down5)));
    FeatureMap pool13 = layers.max_pool(x3, 13, 1);
    FeatureMap pool9 = layers.max_pool(x3, 9, 1);
    FeatureMap pool5 = layers.max_pool(x3, 5, 1);
    FeatureMap pyramid = layers.take_and_join({std::move(pool13), std::move(pool9), std::move(pool5), std::move(x3)});
    FeatureMap x6 = layers.conv(p.conv6, layers.conv(p.conv5, layers.conv(p.conv4, std::move(pyramid))));

    FeatureMap x8 = layers.conv(p.conv8, down4);
    FeatureMap x7 = layers.upsample(layers.conv(p.conv7, x6), x8);
    FeatureMap x9 = layers.conv(p.conv9, layers.take_and_join({std::move(x8), std::move(x7)}));
    FeatureMap x11 = layers.conv(p.conv11, layers.conv(p.conv10, std::move(x9)));
    FeatureMap x13 = layers.conv(p.conv13, layers.conv(p.conv12, std::move(x11)));

    FeatureMap x15 = layers.conv(p.conv15, down3);
    FeatureMap x14 = layers.upsample(layers.conv(p.conv14, x13), x15);
    FeatureMap x16 = layers.conv(p.conv16, layers.take_and_join({std::move(x15), std::move(x14)}));
    FeatureMap x18 = layers.conv(p.conv18, layers.conv(p.conv17, std::move(x16)));
    FeatureMap x20 = layers.conv(p.conv20, layers.conv(p.conv19, std::move(x18)));
    return {std::move(x20), std::move(x13), std::move(x6)};
}

}  // namespace zoo::yolov4::optimized
