// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the optimized versions are built of. Maps are tiles, sharded in L1. A map that is handed over (&&) is freed as soon as it is read;
// one that is lent (const &) stays.

#include <cstdint>
#include <vector>

#include "models/yolov4/placement.hpp"
#include "models/yolov4/preprocess.hpp"
#include "zoo/conv.hpp"

namespace zoo::yolov4::optimized {

using Stage = Placement::Stage;

// The layers of one network on one placement.
class Layers {
public:
    Layers(const Config& config, const Placement& place) : config_(config), place_(place) {}

    // The convolution with its activation fused. The result's stage follows from its size.
    [[nodiscard]] FeatureMap conv(const ConvLayer& layer, const FeatureMap& x) const;
    [[nodiscard]] FeatureMap conv(const ConvLayer& layer, FeatureMap&& x) const;
    // A head's last convolution: interleaved, for decode().
    [[nodiscard]] FeatureMap head_conv(const ConvLayer& layer, FeatureMap&& x) const;

    // Channels side by side, in the shards of the map that has the most cores.
    [[nodiscard]] FeatureMap join(const std::vector<FeatureMap>& maps) const;
    // The same; the maps are freed.
    [[nodiscard]] FeatureMap take_and_join(std::vector<FeatureMap> maps) const;
    // Adds b to a, where a lies; b is freed.
    [[nodiscard]] FeatureMap add(FeatureMap&& a, FeatureMap&& b) const;
    // The channels from `first` on, in shards of the same cores.
    [[nodiscard]] FeatureMap channels_from(const FeatureMap& x, std::uint32_t first) const;
    // Keeps the size with a stride of 1, else divides it.
    [[nodiscard]] FeatureMap max_pool(const FeatureMap& x, std::uint32_t kernel, std::uint32_t stride) const;
    // Twice the height and width, in the memory of `like` but for the channels.
    [[nodiscard]] FeatureMap upsample(FeatureMap&& x, const FeatureMap& like) const;

    [[nodiscard]] FeatureMap picture(const ttnn::Tensor& picture) const;
    static void free(FeatureMap& x);

private:
    [[nodiscard]] FeatureMap run(const ConvLayer& layer, const FeatureMap& x, Conv2dArgs args) const;
    [[nodiscard]] const Stage& stage_of(std::uint32_t width) const;

    const Config& config_;
    const Placement& place_;
};

}  // namespace zoo::yolov4::optimized
