// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/yolov4/boxes.hpp"
#include "models/yolov4/config.hpp"
#include "models/yolov4/tree.hpp"
#include "models/yolov4/weights.hpp"
#include "ttnn/types.hpp"
#include "zoo/conv.hpp"

namespace zoo::yolov4 {

// A convolution as the TTNN versions take it: the norm folded, a head's last one in HeadLayout's columns.
struct ConvLayer {
    std::string name;  // "down1.conv1"
    ConvParameters parameters;
    std::uint32_t stride = 1;
    std::uint32_t padding = 0;
    Activation activation = Activation::Linear;
};

using ResblockParameters = Resblock<ConvLayer>;
using Downsample1Parameters = Downsample1<ConvLayer>;
using DownsampleParameters = Downsample<ConvLayer>;
using NeckParameters = Neck<ConvLayer>;
using HeadParameters = Head<ConvLayer>;
using FullParameters = Full<ConvLayer>;
using TinyBlockParameters = TinyBlock<ConvLayer>;
using TinyHeadParameters = TinyHead<ConvLayer>;
using TinyParameters = Tiny<ConvLayer>;

// What turns a head's columns into boxes: constants of one scale, FLOAT32 in tiles. Columns as in HeadLayout.
struct ScaleParameters {
    ttnn::Tensor slopes;   // [1, 1, 1, 32]: by how much a sigmoid moves a centre
    ttnn::Tensor cells;    // [1, 1, cells, 32]: where the cells begin
    ttnn::Tensor anchors;  // [1, 1, 1, 32]: widths and heights
};

struct Parameters {
    std::optional<FullParameters> full;
    std::optional<TinyParameters> tiny;
    std::vector<ScaleParameters> scales;
};

// The same network with its norms in its convolutions.
[[nodiscard]] Weights fold(Weights weights);

// Kernels and biases in `dtype`; they go to the device when they are first used.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, ttnn::DataType dtype, ttnn::MeshDevice& device);

// A picture [1, 3, height, width] as rows of pixels [1, 1, height * width, 3], ROW_MAJOR, BFLOAT16; without a device on the host.
// Error for another shape.
[[nodiscard]] ttnn::Tensor preprocess(
    const Config& config, const HostTensor& picture, ttnn::MeshDevice* device = nullptr);

// What a scale's map turns into on the device. A pair of tensors for each scale is what the TTNN versions return.
struct ScalePredictions {
    ttnn::Tensor boxes;   // [1, 1, cells, 64], FLOAT32: centres in columns 0 to 5, sizes in 32 to 37
    ttnn::Tensor scores;  // [1, 1, cells, 3 * block], BFLOAT16: an anchor's scores behind its objectness
};

// From the device's columns to one row a box.
[[nodiscard]] Predictions postprocess(const Config& config, const std::vector<ScalePredictions>& scales);

}  // namespace zoo::yolov4
