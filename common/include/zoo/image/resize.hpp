// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "zoo/image/image.hpp"

namespace zoo {

// Bilinear, antialiased when it shrinks: the same bytes as Pillow's Image.resize((width, height), BILINEAR), which torchvision's
// reference preprocessing uses. Error for a size that is not positive or above 65,535.
[[nodiscard]] Image resize(const Image& image, std::int64_t width, std::int64_t height);

// torchvision's Resize(shorter_side) and CenterCrop(crop), in one: only what the crop shows is computed, so a picture of any shape
// takes little memory. `crop` must not exceed `shorter_side`.
[[nodiscard]] Image resize_and_crop(const Image& image, std::int64_t shorter_side, std::int64_t crop);

// A picture within a larger one: shrunk or grown to fit, its proportions kept, centred on a plain ground.
struct Letterbox {
    Image image;
    std::int64_t left = 0;  // where the picture begins
    std::int64_t top = 0;
    std::int64_t width = 0;  // of the picture
    std::int64_t height = 0;
};

[[nodiscard]] Letterbox letterbox(
    const Image& image, std::int64_t width, std::int64_t height, std::uint8_t ground = 128);

}  // namespace zoo
