// SPDX-License-Identifier: Apache-2.0
#pragma once

// Pictures of tests/data/image, and what Pillow makes of them (scripts/make_image_fixtures.py).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "zoo/checkpoint.hpp"
#include "zoo/image/image.hpp"

namespace zoo::testing {

inline std::filesystem::path picture(const std::string& name) {
    return std::filesystem::path(ZOO_TEST_DATA_DIR) / "image" / name;
}

inline Image expected_image(const std::string& name) {
    static const std::unique_ptr<Checkpoint> checkpoint = open_checkpoint(picture("expected.safetensors"));
    const HostTensor tensor = checkpoint->load(name);
    return {tensor.shape[1], tensor.shape[0], {tensor.data.begin(), tensor.data.end()}};
}

struct Difference {
    int most = 0;
    double mean = 0;
};

inline Difference difference(const Image& expected, const Image& actual) {
    EXPECT_EQ(actual.width, expected.width);
    EXPECT_EQ(actual.height, expected.height);
    EXPECT_EQ(actual.pixels.size(), expected.pixels.size());
    if (actual.pixels.size() != expected.pixels.size()) {
        return {255, 255.0};
    }
    Difference result;
    for (std::size_t i = 0; i < expected.pixels.size(); ++i) {
        const int distance = std::abs(static_cast<int>(expected.pixels[i]) - static_cast<int>(actual.pixels[i]));
        result.most = std::max(result.most, distance);
        result.mean += distance / static_cast<double>(expected.pixels.size());
    }
    return result;
}

}  // namespace zoo::testing
