// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/resnet/config.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::resnet {

// Images are [batch, 3, image_size, image_size], red first, normalised by image_mean and image_std. Error for any other
// shape, or an empty batch.
void validate(const Config& config, const HostTensor& images);

// Pictures of nothing that look like photos to a network: smooth shapes and some noise, normalised.
[[nodiscard]] HostTensor random_images(const Config& config, std::int64_t batch, std::uint64_t seed);

}  // namespace zoo::resnet
