// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/images.hpp"

#include <cmath>
#include <numbers>

#include "zoo/error.hpp"
#include "zoo/random.hpp"

namespace zoo::resnet {

void validate(const Config& config, const HostTensor& images) {
    const Shape& shape = images.shape;
    if (shape.size() != 4 || shape[0] <= 0 || shape[1] != config.num_channels || shape[2] != config.image_size ||
        shape[3] != config.image_size) {
        fail(
            "resnet", "images are ", to_string(shape), "; they must be [batch, ", config.num_channels, ", ",
            config.image_size, ", ", config.image_size, "]");
    }
}

HostTensor random_images(const Config& config, std::int64_t batch, std::uint64_t seed) {
    constexpr int kWaves = 6;
    const std::int64_t side = config.image_size;
    HostTensor images = zeros({batch, config.num_channels, side, side});
    Random random(seed);
    auto value = images.data.begin();
    for (std::int64_t plane = 0; plane < batch * config.num_channels; ++plane) {
        struct Wave {
            float x, y, phase, height;
        };
        std::array<Wave, kWaves> waves{};
        for (Wave& wave : waves) {
            wave = {
                random.normal(0.0F, 4.0F), random.normal(0.0F, 4.0F), random.uniform(0.0F, 1.0F),
                random.normal(0.0F, 0.6F)};
        }
        for (std::int64_t y = 0; y < side; ++y) {
            for (std::int64_t x = 0; x < side; ++x) {
                float sum = random.normal(0.0F, 0.2F);
                for (const Wave& wave : waves) {
                    const float turns =
                        (wave.x * static_cast<float>(x) + wave.y * static_cast<float>(y)) / static_cast<float>(side) +
                        wave.phase;
                    sum += wave.height * std::sin(2.0F * std::numbers::pi_v<float> * turns);
                }
                *value++ = sum;
            }
        }
    }
    return images;
}

}  // namespace zoo::resnet
