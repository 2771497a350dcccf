// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/yolov4/preprocess.hpp"

namespace zoo::yolov4 {

// From what a head says of its cells to boxes and scores, on the device. map is [1, 1, cells, HeadLayout's columns], TILE, interleaved,
// BFLOAT16; consumed. Boxes are computed in FLOAT32: BFLOAT16 would move an edge by up to a pixel in 500.
[[nodiscard]] ScalePredictions decode(
    const Config& config, const ScaleParameters& parameters, ttnn::Tensor map, const ttnn::MemoryConfig& memory);

}  // namespace zoo::yolov4
