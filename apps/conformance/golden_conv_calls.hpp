// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/golden_case.hpp"

namespace zoo::conformance {

// What a convolution case says, square windows.
struct ConvArguments {
    std::uint32_t batch = 1, in = 1, out = 1, height = 1, width = 1;
    std::uint32_t kernel = 1, stride = 1, padding = 0, dilation = 1, groups = 1;
    std::string activations, weights, output;  // data types
    std::string activation;                    // "RELU"; empty for none
    std::optional<float> activation_parameter;
};

struct PoolArguments {
    std::uint32_t batch = 1, channels = 1, height = 1, width = 1;
    std::uint32_t kernel = 1, stride = 1, padding = 0, dilation = 1;
    bool ceil_mode = false, count_include_pad = true;

    // Places of the window along a side of `size` pixels.
    std::uint32_t places(std::uint32_t size) const;
};

// UnknownCase for an activation that is none.
ConvArguments conv_arguments(const GoldenCase& golden);
// A window that the arguments do not give is what the name says ("max_3x3s2"), with the stride and padding that fit the result.
PoolArguments pool_arguments(const GoldenCase& golden);

// [1, C, H, W] as [1, 1, H*W, C].
HostTensor to_pixels(const HostTensor& image);

// Convolutions, pools and upsampling in exact arithmetic; nothing for other ops.
std::optional<std::vector<float>> run_images_exactly(const GoldenCase& golden);

}  // namespace zoo::conformance
