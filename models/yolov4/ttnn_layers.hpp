// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the functional versions are built of. Inputs are not consumed; results are BFLOAT16 tiles in DRAM.

#include <cstdint>
#include <initializer_list>

#include "models/yolov4/preprocess.hpp"
#include "zoo/conv.hpp"

namespace zoo::yolov4::functional {

// The convolution and its activation.
[[nodiscard]] FeatureMap conv(const ConvLayer& layer, const FeatureMap& x);
// Channels side by side.
[[nodiscard]] FeatureMap join(std::initializer_list<FeatureMap> maps);
[[nodiscard]] FeatureMap add(const FeatureMap& a, const FeatureMap& b);
// The channels from `first` on.
[[nodiscard]] FeatureMap channels_from(const FeatureMap& x, std::uint32_t first);
[[nodiscard]] FeatureMap max_pool(const FeatureMap& x, std::uint32_t kernel, std::uint32_t stride);
[[nodiscard]] FeatureMap upsample2x(const FeatureMap& x);
// preprocess()'s picture.
[[nodiscard]] FeatureMap picture_map(const Config& config, const ttnn::Tensor& picture);

}  // namespace zoo::yolov4::functional
