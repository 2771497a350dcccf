// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_layers.hpp"
#include "models/yolov4/ttnn_yolov4.hpp"

namespace zoo::yolov4::functional {
namespace {

// x [height, width, channels] to [height / 2, width / 2, 2 * channels].
FeatureMap downsample(const DownsampleParameters& parameters, const FeatureMap& x) {
    const FeatureMap x1 = conv(parameters.conv1, x);
    const FeatureMap x2 = conv(parameters.conv2, x1);
    const FeatureMap x4 = conv(parameters.conv4, resblock(parameters.resblock, conv(parameters.conv3, x1)));
    return conv(parameters.conv5, join({x4, x2}));
}

}  // namespace

FeatureMap resblock(const ResblockParameters& parameters, const FeatureMap& x) {
    FeatureMap sum = x;
    for (const auto& [narrow, wide] : parameters.blocks) {
        sum = add(sum, conv(wide, conv(narrow, sum)));
    }
    return sum;
}

// x [height, width, 3] to [height / 2, width / 2, 2 * base_channels].
FeatureMap ds1(const Downsample1Parameters& parameters, const FeatureMap& x) {
    const FeatureMap x2 = conv(parameters.conv2, conv(parameters.conv1, x));
    const FeatureMap x3 = conv(parameters.conv3, x2);
    const FeatureMap x4 = conv(parameters.conv4, x2);
    const FeatureMap x6 = add(conv(parameters.conv6, conv(parameters.conv5, x4)), x4);
    return conv(parameters.conv8, join({conv(parameters.conv7, x6), x3}));
}

FeatureMap ds2(const DownsampleParameters& parameters, const FeatureMap& x) { return downsample(parameters, x); }
FeatureMap ds3(const DownsampleParameters& parameters, const FeatureMap& x) { return downsample(parameters, x); }
FeatureMap ds4(const DownsampleParameters& parameters, const FeatureMap& x) { return downsample(parameters, x); }
FeatureMap ds5(const DownsampleParameters& parameters, const FeatureMap& x) { return downsample(parameters, x); }

}  // namespace zoo::yolov4::functional
