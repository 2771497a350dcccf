// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "models/yolov4/ttnn_decode.hpp"
#include "models/yolov4/ttnn_optimized_layers.hpp"
#include "models/yolov4/ttnn_optimized_yolov4.hpp"

namespace zoo::yolov4::optimized {

// x [height, width, channels]; inner has its size, pooled [height / 2, width / 2, 2 * channels].
TinyMaps tiny_block(const Config& config, const TinyBlockParameters& p, const Placement& place, const FeatureMap& x) {
    const Layers layers(config, place);
    FeatureMap x1 = layers.conv(p.conv1, x);
    FeatureMap x2 = layers.conv(p.conv2, layers.channels_from(x1, x1.channels / 2));
    FeatureMap x3 = layers.conv(p.conv3, x2);
    FeatureMap x4 = layers.conv(p.conv4, layers.take_and_join({std::move(x3), std::move(x2)}));
    FeatureMap joined = layers.join({x1, x4});
    Layers::free(x1);
    FeatureMap pooled = layers.max_pool(joined, 2, 2);
    Layers::free(joined);
    return {std::move(x4), std::move(pooled)};
}

// block3's maps to two interleaved maps of HeadLayout's columns, the coarse one first.
std::array<FeatureMap, 2> tiny_head(
    const Config& config, const TinyHeadParameters& p, const Placement& place, FeatureMap pooled, FeatureMap inner) {
    const Layers layers(config, place);
    FeatureMap x2 = layers.conv(p.conv2, layers.conv(p.conv1, std::move(pooled)));
    FeatureMap coarse = layers.head_conv(p.conv4, layers.conv(p.conv3, x2));
    FeatureMap x5 = layers.upsample(layers.conv(p.conv5, std::move(x2)), inner);
    FeatureMap fine =
        layers.head_conv(p.conv7, layers.conv(p.conv6, layers.take_and_join({std::move(x5), std::move(inner)})));
    return {std::move(coarse), std::move(fine)};
}

// picture [1, 1, height * width, 3], ROW_MAJOR, in DRAM; not consumed.
std::vector<ScalePredictions> yolov4_tiny(
    const Config& config, const Parameters& parameters, const Placement& place, const ttnn::Tensor& picture) {
    const TinyParameters& tiny = parameters.tiny.value();
    const Layers layers(config, place);
    FeatureMap x = layers.conv(tiny.conv2, layers.conv(tiny.conv1, layers.picture(picture)));
    for (const TinyBlockParameters* block : {&tiny.block1, &tiny.block2}) {
        TinyMaps maps = tiny_block(config, *block, place, x);
        Layers::free(maps.inner);
        Layers::free(x);
        x = std::move(maps.pooled);
    }
    TinyMaps block3 = tiny_block(config, tiny.block3, place, x);
    Layers::free(x);
    std::vector<ScalePredictions> scales;
    for (const FeatureMap& map :
         tiny_head(config, tiny.head, place, std::move(block3.pooled), std::move(block3.inner))) {
        scales.push_back(decode(config, parameters.scales[scales.size()], map.tensor, place.head));
    }
    return scales;
}

}  // namespace zoo::yolov4::optimized
