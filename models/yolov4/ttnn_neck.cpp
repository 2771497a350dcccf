// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_layers.hpp"
#include "models/yolov4/ttnn_yolov4.hpp"

namespace zoo::yolov4::functional {

// down5 [height / 32, width / 32, 32 * base], down4 and down3 twice and four times as large with half and a quarter of the channels.
std::array<FeatureMap, 3> neck(
    const NeckParameters& p, const FeatureMap& down5, const FeatureMap& down4, const FeatureMap& down3) {
    const FeatureMap x3 = conv(p.conv3, conv(p.conv2, conv(p.conv1, down5)));
    const FeatureMap pyramid = join({max_pool(x3, 13, 1), max_pool(x3, 9, 1), max_pool(x3, 5, 1), x3});
    const FeatureMap x6 = conv(p.conv6, conv(p.conv5, conv(p.conv4, pyramid)));

    const FeatureMap x9 = join({conv(p.conv8, down4), upsample2x(conv(p.conv7, x6))});
    const FeatureMap x11 = conv(p.conv11, conv(p.conv10, conv(p.conv9, x9)));
    const FeatureMap x13 = conv(p.conv13, conv(p.conv12, x11));

    const FeatureMap x16 = join({conv(p.conv15, down3), upsample2x(conv(p.conv14, x13))});
    const FeatureMap x18 = conv(p.conv18, conv(p.conv17, conv(p.conv16, x16)));
    const FeatureMap x20 = conv(p.conv20, conv(p.conv19, x18));
    return {x20, x13, x6};
}

}  // namespace zoo::yolov4::functional
