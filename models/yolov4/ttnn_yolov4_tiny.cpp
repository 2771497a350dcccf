// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_decode.hpp"
#include "models/yolov4/ttnn_layers.hpp"
#include "models/yolov4/ttnn_yolov4.hpp"

namespace zoo::yolov4::functional {

// x [height, width, channels]; inner has its size, pooled [height / 2, width / 2, 2 * channels].
TinyMaps tiny_block(const TinyBlockParameters& p, const FeatureMap& x) {
    const FeatureMap x1 = conv(p.conv1, x);
    const FeatureMap x2 = conv(p.conv2, channels_from(x1, x1.channels / 2));
    const FeatureMap x3 = conv(p.conv3, x2);
    const FeatureMap x4 = conv(p.conv4, join({x3, x2}));
    return {x4, max_pool(join({x1, x4}), 2, 2)};
}

// block3's maps to two maps of HeadLayout's columns, the coarse one first.
std::array<FeatureMap, 2> tiny_head(const TinyHeadParameters& p, const FeatureMap& pooled, const FeatureMap& inner) {
    const FeatureMap x2 = conv(p.conv2, conv(p.conv1, pooled));
    const FeatureMap coarse = conv(p.conv4, conv(p.conv3, x2));
    const FeatureMap joined = join({upsample2x(conv(p.conv5, x2)), inner});
    return {coarse, conv(p.conv7, conv(p.conv6, joined))};
}

// picture [1, 1, height * width, 3], ROW_MAJOR, in DRAM.
std::vector<ScalePredictions> yolov4_tiny(
    const Config& config, const Parameters& parameters, const ttnn::Tensor& picture) {
    const TinyParameters& tiny = parameters.tiny.value();
    const FeatureMap x2 = conv(tiny.conv2, conv(tiny.conv1, picture_map(config, picture)));
    const FeatureMap x3 = tiny_block(tiny.block2, tiny_block(tiny.block1, x2).pooled).pooled;
    const TinyMaps block3 = tiny_block(tiny.block3, x3);
    std::vector<ScalePredictions> scales;
    for (const FeatureMap& map : tiny_head(tiny.head, block3.pooled, block3.inner)) {
        scales.push_back(decode(config, parameters.scales[scales.size()], map.tensor, {}));
    }
    return scales;
}

}  // namespace zoo::yolov4::functional
