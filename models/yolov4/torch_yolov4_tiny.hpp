// SPDX-License-Identifier: Apache-2.0
#pragma once

// yolov4-tiny in float32 by libtorch. Torch stays inside the source file; maps as in torch_yolov4.hpp.

#include <array>
#include <vector>

#include "models/yolov4/weights.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::yolov4::golden {

struct TinyMaps {
    HostTensor
        inner;  // what the block's convolutions say, before it is joined with their input: the fine head reads block3's
    HostTensor pooled;  // joined, at half the height and width
};

[[nodiscard]] TinyMaps tiny_block(const TinyBlockWeights& weights, const HostTensor& x);

// The coarse map and the fine one, from block3's pooled and inner maps.
[[nodiscard]] std::array<HostTensor, 2> tiny_head(
    const TinyHeadWeights& weights, const HostTensor& pooled, const HostTensor& inner);

// Both maps of a picture.
[[nodiscard]] std::vector<HostTensor> yolov4_tiny(const TinyWeights& weights, const HostTensor& picture);

}  // namespace zoo::yolov4::golden
