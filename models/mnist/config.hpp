// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "zoo/pixels.hpp"

namespace zoo::mnist {

inline constexpr std::size_t kConvolutions = 3;

// A small network for digits: convolutions of 3x3 with ReLU, each followed by a max-pool of 2x2, and two linear layers. The
// defaults are those of scripts/train_mnist.py.
struct Config {
    std::int64_t num_channels = 3;
    std::int64_t image_size = 32;
    std::array<std::int64_t, kConvolutions> conv_channels{32, 32, 64};
    std::int64_t hidden_size = 64;  // between the linear layers
    std::int64_t num_classes = 10;
    // Of all three channels, in [0, 1]: a pixel becomes (value - mean) / std.
    float image_mean = 0.1307F;
    float image_std = 0.3081F;

    // Height and width that reach the first linear layer.
    [[nodiscard]] std::int64_t last_side() const { return image_size >> kConvolutions; }
    [[nodiscard]] std::int64_t features() const { return conv_channels.back() * last_side() * last_side(); }
    [[nodiscard]] ImageSize size() const { return {num_channels, image_size, image_size}; }

    bool operator==(const Config&) const = default;
};

// "mnist". Error for any other name.
[[nodiscard]] Config preset(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& preset_names();

// Error naming the first field that no code here can run, its value and the rule.
void validate(const Config& config);

}  // namespace zoo::mnist
