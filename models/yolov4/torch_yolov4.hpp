// SPDX-License-Identifier: Apache-2.0
#pragma once

// YOLOv4 in float32 by libtorch: what the TTNN versions are measured against. Torch stays inside the source file.
//
// Maps are [1, channels, height, width]; a picture is such a map of 3 channels, red, green and blue from 0 to 1. Weights are used where
// they lie, with or without their norms folded.

#include <array>
#include <vector>

#include "models/yolov4/boxes.hpp"
#include "models/yolov4/config.hpp"
#include "models/yolov4/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::yolov4::golden {

[[nodiscard]] HostTensor resblock(const ResblockWeights& weights, const HostTensor& x);

// Half the height and width each; ds1 takes the picture.
[[nodiscard]] HostTensor ds1(const Downsample1Weights& weights, const HostTensor& x);
[[nodiscard]] HostTensor ds2(const DownsampleWeights& weights, const HostTensor& x);
[[nodiscard]] HostTensor ds3(const DownsampleWeights& weights, const HostTensor& x);
[[nodiscard]] HostTensor ds4(const DownsampleWeights& weights, const HostTensor& x);
[[nodiscard]] HostTensor ds5(const DownsampleWeights& weights, const HostTensor& x);

// From the maps of ds5, 4 and 3 to those for the heads, the finest first.
[[nodiscard]] std::array<HostTensor, 3> neck(
    const NeckWeights& weights, const HostTensor& down5, const HostTensor& down4, const HostTensor& down3);

// What the heads say of each cell, before the decoding: the finest map first, [1, head_channels, height, width].
[[nodiscard]] std::array<HostTensor, 3> head(const HeadWeights& weights, const std::array<HostTensor, 3>& maps);

// Decodes the maps of the heads.
[[nodiscard]] Predictions predictions(const Config& config, const std::vector<HostTensor>& maps);

// The whole network; of tiny weights, yolov4-tiny.
[[nodiscard]] Predictions yolov4(const Config& config, const Weights& weights, const HostTensor& picture);

}  // namespace zoo::yolov4::golden
