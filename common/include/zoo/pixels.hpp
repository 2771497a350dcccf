// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "zoo/conv.hpp"
#include "zoo/host_tensor.hpp"

// Images between the host, [batch, channels, height, width] in float32 as torch has them, and the device, where
// convolutions take a row of channels for each pixel.
namespace zoo {

struct ImageSize {
    std::int64_t channels = 3;
    std::int64_t height = 224;
    std::int64_t width = 224;
};

// Error, opened by `where`, when `images` is not [batch, channels, height, width] with at least one image.
void validate_images(std::string_view where, const HostTensor& images, const ImageSize& size);

// Pictures of nothing that look like normalised photos to a network: waves of several lengths and some noise.
[[nodiscard]] HostTensor random_images(std::int64_t batch, const ImageSize& size, std::uint64_t seed);

// [batch, channels, height, width] as [1, 1, batch * height * width, channels], with zeros behind the channels up to
// `padded_channels`.
[[nodiscard]] HostTensor to_pixels(const HostTensor& images, std::int64_t padded_channels = 0);
// The way back.
[[nodiscard]] HostTensor from_pixels(const HostTensor& pixels, std::int64_t batch, const ImageSize& size);

// Images on the device, or on the host without one: BFLOAT16 and ROW_MAJOR, in DRAM.
[[nodiscard]] ttnn::Tensor preprocess_images(
    const HostTensor& images, std::int64_t padded_channels, ttnn::MeshDevice* device = nullptr);
// What preprocess_images makes of `batch` images.
[[nodiscard]] tt::tt_metal::TensorSpec images_spec(
    std::int64_t batch, const ImageSize& size, std::int64_t padded_channels);
// The same tensor as a network's input.
[[nodiscard]] FeatureMap images_map(const ttnn::Tensor& pixels, const ImageSize& size);

// A feature map's values on the host: [batch, channels, height, width].
[[nodiscard]] HostTensor to_host(const FeatureMap& map);
// Values [batch, channels, height, width] as a feature map on the device: TILE, in DRAM.
[[nodiscard]] FeatureMap to_feature_map(
    const HostTensor& images, ttnn::MeshDevice& device, ttnn::DataType dtype = ttnn::DataType::BFLOAT16);

}  // namespace zoo
