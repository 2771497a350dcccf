// SPDX-License-Identifier: Apache-2.0
#pragma once

// YOLOv4 in TTNN for speed: BFLOAT8_B weights, maps that stay in L1 in shards, fused activations. Names and order are the functional
// version's. Maps are tiles; inputs of modules are not consumed.

#include <array>
#include <vector>

#include "models/yolov4/config.hpp"
#include "models/yolov4/placement.hpp"
#include "models/yolov4/preprocess.hpp"
#include "zoo/conv.hpp"

namespace zoo::yolov4::optimized {

// x is sharded and is consumed: the sums lie in its place.
[[nodiscard]] FeatureMap resblock(
    const Config& config, const ResblockParameters& parameters, const Placement& place, FeatureMap x);

// x is the picture as preprocess() makes it, in DRAM.
[[nodiscard]] FeatureMap ds1(
    const Config& config, const Downsample1Parameters& parameters, const Placement& place, const FeatureMap& x);
// x is sharded, in any way.
[[nodiscard]] FeatureMap ds2(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x);
[[nodiscard]] FeatureMap ds3(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x);
[[nodiscard]] FeatureMap ds4(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x);
[[nodiscard]] FeatureMap ds5(
    const Config& config, const DownsampleParameters& parameters, const Placement& place, const FeatureMap& x);

[[nodiscard]] std::array<FeatureMap, 3> neck(
    const Config& config, const NeckParameters& parameters, const Placement& place, const FeatureMap& down5,
    const FeatureMap& down4, const FeatureMap& down3);
// The maps of the neck are consumed. The results are interleaved.
[[nodiscard]] std::array<FeatureMap, 3> head(
    const Config& config, const HeadParameters& parameters, const Placement& place, std::array<FeatureMap, 3> maps);

// picture is preprocess()'s, in DRAM.
[[nodiscard]] std::vector<ScalePredictions> yolov4(
    const Config& config, const Parameters& parameters, const Placement& place, const ttnn::Tensor& picture);

// yolov4-tiny.
struct TinyMaps {
    FeatureMap inner;
    FeatureMap pooled;
};
[[nodiscard]] TinyMaps tiny_block(
    const Config& config, const TinyBlockParameters& parameters, const Placement& place, const FeatureMap& x);
// The maps of block3 are consumed.
[[nodiscard]] std::array<FeatureMap, 2> tiny_head(
    const Config& config, const TinyHeadParameters& parameters, const Placement& place, FeatureMap pooled,
    FeatureMap inner);
[[nodiscard]] std::vector<ScalePredictions> yolov4_tiny(
    const Config& config, const Parameters& parameters, const Placement& place, const ttnn::Tensor& picture);

}  // namespace zoo::yolov4::optimized
