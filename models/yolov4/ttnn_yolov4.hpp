// SPDX-License-Identifier: Apache-2.0
#pragma once

// YOLOv4 in TTNN as it comes: BFLOAT16, interleaved in DRAM, the library's own choice of every config. Maps are FeatureMaps in tiles;
// inputs are not consumed.

#include <array>
#include <vector>

#include "models/yolov4/config.hpp"
#include "models/yolov4/preprocess.hpp"
#include "zoo/conv.hpp"

namespace zoo::yolov4::functional {

[[nodiscard]] FeatureMap resblock(const ResblockParameters& parameters, const FeatureMap& x);
[[nodiscard]] FeatureMap ds1(const Downsample1Parameters& parameters, const FeatureMap& x);
[[nodiscard]] FeatureMap ds2(const DownsampleParameters& parameters, const FeatureMap& x);
[[nodiscard]] FeatureMap ds3(const DownsampleParameters& parameters, const FeatureMap& x);
[[nodiscard]] FeatureMap ds4(const DownsampleParameters& parameters, const FeatureMap& x);
[[nodiscard]] FeatureMap ds5(const DownsampleParameters& parameters, const FeatureMap& x);
[[nodiscard]] std::array<FeatureMap, 3> neck(
    const NeckParameters& parameters, const FeatureMap& down5, const FeatureMap& down4, const FeatureMap& down3);
[[nodiscard]] std::array<FeatureMap, 3> head(const HeadParameters& parameters, const std::array<FeatureMap, 3>& maps);

// picture is preprocess()'s, on the device.
[[nodiscard]] std::vector<ScalePredictions> yolov4(
    const Config& config, const Parameters& parameters, const ttnn::Tensor& picture);

// yolov4-tiny.
struct TinyMaps {
    FeatureMap inner;
    FeatureMap pooled;
};
[[nodiscard]] TinyMaps tiny_block(const TinyBlockParameters& parameters, const FeatureMap& x);
[[nodiscard]] std::array<FeatureMap, 2> tiny_head(
    const TinyHeadParameters& parameters, const FeatureMap& pooled, const FeatureMap& inner);
[[nodiscard]] std::vector<ScalePredictions> yolov4_tiny(
    const Config& config, const Parameters& parameters, const ttnn::Tensor& picture);

}  // namespace zoo::yolov4::functional
