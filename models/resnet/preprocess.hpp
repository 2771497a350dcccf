// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/resnet/config.hpp"
#include "models/resnet/placement.hpp"
#include "models/resnet/weights.hpp"
#include "zoo/conv.hpp"

namespace zoo::resnet {

// Batch norms are folded into their convolutions.
struct BlockParameters {
    ConvParameters conv1;
    ConvParameters conv2;
    std::optional<ConvParameters> conv3;
    std::optional<ConvParameters> downsample;
};

struct LinearParameters {
    ttnn::Tensor weight;  // [in, out]
    ttnn::Tensor bias;    // [1, out]
};

struct Parameters {
    ConvParameters stem;
    std::array<std::vector<BlockParameters>, kStages> layers;
    LinearParameters fc;
};

struct ParameterFormat {
    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT16;
    // Channels of the images on the device, zeros behind the three.
    std::int64_t input_channels = 3;
};

[[nodiscard]] ParameterFormat functional_format();
[[nodiscard]] ParameterFormat optimized_format(const Placement& place);

[[nodiscard]] ConvWeights fold(const Config& config, const ConvNorm& weights);

[[nodiscard]] ConvParameters preprocess_stem(
    const Config& config, const ConvNorm& weights, const ParameterFormat& format);
[[nodiscard]] BlockParameters preprocess(
    const Config& config, const BlockWeights& weights, const ParameterFormat& format);
[[nodiscard]] LinearParameters preprocess(
    const Linear& weights, const ParameterFormat& format, ttnn::MeshDevice& device);
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device);

// [batch, 3, side, side] as the pixels that the stem takes: [1, 1, batch * side * side, format.input_channels] in
// BFLOAT16, ROW_MAJOR, on the host or in DRAM.
[[nodiscard]] ttnn::Tensor preprocess_images(
    const Config& config, const HostTensor& images, const ParameterFormat& format, ttnn::MeshDevice* device = nullptr);
[[nodiscard]] tt::tt_metal::TensorSpec images_spec(
    const Config& config, std::int64_t batch, const ParameterFormat& format);

// What preprocess_images made, as the model's input.
[[nodiscard]] FeatureMap images_map(const Config& config, const ttnn::Tensor& pixels);

}  // namespace zoo::resnet
