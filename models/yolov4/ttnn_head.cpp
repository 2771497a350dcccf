// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_layers.hpp"
#include "models/yolov4/ttnn_yolov4.hpp"

namespace zoo::yolov4::functional {

// The neck's maps, the finest first, to maps of HeadLayout's columns.
std::array<FeatureMap, 3> head(const HeadParameters& p, const std::array<FeatureMap, 3>& maps) {
    const FeatureMap x2 = conv(p.conv2, conv(p.conv1, maps[0]));

    const FeatureMap x4 = conv(p.conv4, join({conv(p.conv3, maps[0]), maps[1]}));
    const FeatureMap x8 = conv(p.conv8, conv(p.conv7, conv(p.conv6, conv(p.conv5, x4))));
    const FeatureMap x10 = conv(p.conv10, conv(p.conv9, x8));

    const FeatureMap x12 = conv(p.conv12, join({conv(p.conv11, x8), maps[2]}));
    const FeatureMap x16 = conv(p.conv16, conv(p.conv15, conv(p.conv14, conv(p.conv13, x12))));
    const FeatureMap x18 = conv(p.conv18, conv(p.conv17, x16));
    return {x2, x10, x18};
}

}  // namespace zoo::yolov4::functional
