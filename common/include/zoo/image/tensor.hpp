// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <span>

#include "zoo/host_tensor.hpp"
#include "zoo/image/image.hpp"

namespace zoo {

// Per channel: (byte / 255 - mean) / stddev.
struct Normalization {
    std::array<float, 3> mean{0.0F, 0.0F, 0.0F};
    std::array<float, 3> stddev{1.0F, 1.0F, 1.0F};
};

// torchvision's, for networks trained on ImageNet.
inline constexpr Normalization kImageNet{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};

// [images, 3, height, width], red first. Error when the images differ in size, or there is none.
[[nodiscard]] HostTensor to_tensor(std::span<const Image> images, const Normalization& normalization = {});

}  // namespace zoo
