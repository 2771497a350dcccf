// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "models/mnist/config.hpp"
#include "models/mnist/placement.hpp"
#include "models/mnist/weights.hpp"
#include "zoo/conv.hpp"
#include "zoo/linear.hpp"

namespace zoo::mnist {

struct Parameters {
    std::array<ConvParameters, kConvolutions> convolutions;
    LinearParameters fc1;  // its rows by pixel, then by channel: how the device flattens an image
    LinearParameters fc2;
};

struct ParameterFormat {
    ttnn::DataType weight_dtype = ttnn::DataType::BFLOAT16;
    std::int64_t input_channels = 3;  // of the pixels on the device, zeros behind the three
};

[[nodiscard]] ParameterFormat functional_format();
[[nodiscard]] ParameterFormat optimized_format(const Placement& place);

// The host weights are not needed after that.
[[nodiscard]] Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device);

// torch flattens an image by channel first, the device by pixel: columns [channels * pixels] become [pixels * channels].
[[nodiscard]] HostTensor by_pixel(const HostTensor& weight, std::int64_t channels);

}  // namespace zoo::mnist
