// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "models/mobilenetv2/config.hpp"
#include "models/mobilenetv2/placement.hpp"
#include "models/mobilenetv2/weights.hpp"
#include "zoo/conv.hpp"
#include "zoo/linear.hpp"

namespace zoo::mobilenetv2 {

// Weights for the device: what the TTNN versions take. They follow the structure of Weights, with batch norms folded into
// their convolutions.
struct BlockParameters {
    std::optional<ConvParameters> expand;
    ConvParameters depthwise;
    ConvParameters project;
};

struct Parameters {
    ConvParameters stem;
    std::vector<BlockParameters> blocks;
    ConvParameters last;
    LinearParameters classifier;
};

struct ParameterFormat {
    ttnn::DataType dense_dtype = ttnn::DataType::BFLOAT16;  // the stem and the 1x1 convolutions
    ttnn::DataType depthwise_dtype = ttnn::DataType::BFLOAT16;
    ttnn::DataType classifier_dtype = ttnn::DataType::BFLOAT16;
    std::int64_t input_channels = 3;  // of the pixels on the device, zeros behind the three
};

[[nodiscard]] ParameterFormat functional_format();
[[nodiscard]] ParameterFormat optimized_format(const Placement& place);

// The host weights are not needed after that. Trees of single modules are for tests and for models built of parts.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device);
[[nodiscard]] ConvParameters preprocess_stem(
    const Config& config, const ConvNormWeights& weights, const ParameterFormat& format);
[[nodiscard]] BlockParameters preprocess(
    const Config& config, const BlockWeights& weights, const ParameterFormat& format);

}  // namespace zoo::mobilenetv2
