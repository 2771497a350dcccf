// SPDX-License-Identifier: Apache-2.0
#include "zoo/pixels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"
#include "zoo/random.hpp"

namespace zoo {
namespace {

const DeviceFormat kPixels{.layout = ttnn::Layout::ROW_MAJOR};

Shape pixels_shape(std::int64_t batch, const ImageSize& size, std::int64_t channels) {
    return {1, 1, batch * size.height * size.width, channels};
}

// One wave of a random picture: how many turns it takes along each side, where it starts, how high it is.
struct Wave {
    float x, y, phase, height;
};

float wave_at(const Wave& wave, float x, float y) {
    return wave.height * std::sin(2.0F * std::numbers::pi_v<float> * (wave.x * x + wave.y * y + wave.phase));
}

}  // namespace

void validate_images(std::string_view where, const HostTensor& images, const ImageSize& size) {
    const Shape& shape = images.shape;
    if (shape.size() != 4 || shape[0] < 1 || shape[1] != size.channels || shape[2] != size.height ||
        shape[3] != size.width) {
        fail(
            where, "images are ", to_string(shape), "; they must be [batch, ", size.channels, ", ", size.height, ", ",
            size.width, "]");
    }
}

HostTensor random_images(std::int64_t batch, const ImageSize& size, std::uint64_t seed) {
    HostTensor images = zeros({batch, size.channels, size.height, size.width});
    Random random(seed);
    auto value = images.data.begin();
    for (std::int64_t plane = 0; plane < batch * size.channels; ++plane) {
        std::array<Wave, 6> waves{};
        for (Wave& wave : waves) {
            wave.x = random.normal(0.0F, 4.0F);
            wave.y = random.normal(0.0F, 4.0F);
            wave.phase = random.uniform();
            wave.height = random.normal(0.0F, 0.6F);
        }
        for (std::int64_t y = 0; y < size.height; ++y) {
            for (std::int64_t x = 0; x < size.width; ++x) {
                float sum = random.normal(0.0F, 0.2F);
                for (const Wave& wave : waves) {
                    sum += wave_at(
                        wave, static_cast<float>(x) / static_cast<float>(size.width),
                        static_cast<float>(y) / static_cast<float>(size.height));
                }
                *value++ = sum;
            }
        }
    }
    return images;
}

HostTensor to_pixels(const HostTensor& images, std::int64_t padded_channels) {
    if (images.shape.size() != 4) {
        fail("to_pixels", "images are ", to_string(images.shape), "; they must be [batch, channels, height, width]");
    }
    const ImageSize size{images.shape[1], images.shape[2], images.shape[3]};
    const auto channels = static_cast<std::size_t>(size.channels);
    const std::size_t padded = std::max(channels, static_cast<std::size_t>(padded_channels));
    const auto plane = static_cast<std::size_t>(size.height * size.width);
    HostTensor pixels = zeros(pixels_shape(images.shape[0], size, static_cast<std::int64_t>(padded)));
    for (std::size_t i = 0; i < static_cast<std::size_t>(images.shape[0]) * channels; ++i) {
        const float* from = images.data.data() + i * plane;
        float* to = pixels.data.data() + i / channels * plane * padded + i % channels;
        for (std::size_t pixel = 0; pixel < plane; ++pixel) {
            to[pixel * padded] = from[pixel];
        }
    }
    return pixels;
}

HostTensor from_pixels(const HostTensor& pixels, std::int64_t batch, const ImageSize& size) {
    const std::int64_t rows = batch * size.height * size.width;
    if (pixels.shape.size() != 4 || pixels.shape[2] != rows || pixels.shape[3] < size.channels) {
        fail(
            "from_pixels", "pixels are ", to_string(pixels.shape), "; [1, 1, ", rows, ", ", size.channels,
            "] is needed");
    }
    HostTensor images = zeros({batch, size.channels, size.height, size.width});
    const auto channels = static_cast<std::size_t>(size.channels);
    const auto padded = static_cast<std::size_t>(pixels.shape[3]);
    const auto plane = static_cast<std::size_t>(size.height * size.width);
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch) * channels; ++i) {
        const float* from = pixels.data.data() + i / channels * plane * padded + i % channels;
        float* to = images.data.data() + i * plane;
        for (std::size_t pixel = 0; pixel < plane; ++pixel) {
            to[pixel] = from[pixel * padded];
        }
    }
    return images;
}

ttnn::Tensor preprocess_images(const HostTensor& images, std::int64_t padded_channels, ttnn::MeshDevice* device) {
    return from_host(to_pixels(images, padded_channels), kPixels, device);
}

tt::tt_metal::TensorSpec images_spec(std::int64_t batch, const ImageSize& size, std::int64_t padded_channels) {
    return tensor_spec(pixels_shape(batch, size, std::max(size.channels, padded_channels)), kPixels);
}

FeatureMap images_map(const ttnn::Tensor& pixels, const ImageSize& size) {
    const auto height = static_cast<std::uint32_t>(size.height);
    const auto width = static_cast<std::uint32_t>(size.width);
    const ttnn::Shape& shape = pixels.logical_shape();
    return {
        .tensor = pixels, .batch = shape[2] / (height * width), .height = height, .width = width, .channels = shape[3]};
}

HostTensor to_host(const FeatureMap& map) {
    return from_pixels(to_host(map.tensor), map.batch, {map.channels, map.height, map.width});
}

FeatureMap to_feature_map(const HostTensor& images, ttnn::MeshDevice& device, ttnn::DataType dtype) {
    return images_map(
        from_host(to_pixels(images), {.dtype = dtype}, &device),
        {images.shape.at(1), images.shape.at(2), images.shape.at(3)});
}

}  // namespace zoo
