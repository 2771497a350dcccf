// SPDX-License-Identifier: Apache-2.0
// The golden itself: its decoding by hand, and that folding the norms changes nothing.
#include <cmath>

#include "models/yolov4/preprocess.hpp"
#include "models/yolov4/torch_yolov4.hpp"
#include "tests/models/yolov4/plan_case.hpp"

namespace zoo::yolov4 {
namespace {

double sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

TEST(Yolov4Golden, DecodesByThePapersFormulas) {
    Config config = preset("yolov4-nano");  // maps of 8x8, 4x4 and 2x2
    std::vector<HostTensor> maps;
    for (const Scale& scale : config.scales) {
        maps.push_back(
            test::normal({1, config.head_channels(), config.height / scale.stride, config.width / scale.stride}, 61));
    }
    const Predictions found = golden::predictions(config, maps);
    ASSERT_EQ(found.boxes.shape, (Shape{252, 4}));
    ASSERT_EQ(found.scores.shape, (Shape{252, 20}));
    // Row 2, column 1 of the second map, its third anchor: boxes of the first map go before, then two anchors of 16 cells.
    const std::int64_t index = 3 * 64 + 2 * 16 + 2 * 4 + 1;
    const auto raw = [&](std::int64_t channel) {
        return maps[1].data[static_cast<std::size_t>(((2 * 25 + channel) * 4 + 2) * 4 + 1)];
    };
    const auto box = [&](std::int64_t i) { return found.boxes.data[static_cast<std::size_t>(4 * index + i)]; };
    EXPECT_NEAR(box(0), (sigmoid(raw(0)) * 1.1 - 0.05 + 1) / 4, 1e-6);
    EXPECT_NEAR(box(1), (sigmoid(raw(1)) * 1.1 - 0.05 + 2) / 4, 1e-6);
    EXPECT_NEAR(box(2), std::exp(raw(2)) * 72 / 64, 1e-5);
    EXPECT_NEAR(box(3), std::exp(raw(3)) * 146 / 64, 1e-5);
    EXPECT_NEAR(
        found.scores.data[static_cast<std::size_t>(20 * index + 7)], sigmoid(raw(4)) * sigmoid(raw(5 + 7)), 1e-6);
}

TEST(Yolov4Golden, FoldedNormsGiveTheSame) {
    for (const char* name : {"yolov4-nano", "yolov4-tiny"}) {
        const Config config = with_size(preset(name), 64, 64);
        const Weights weights = random(config, 62);
        const HostTensor picture = random_picture(config, 63);
        const Predictions expected = golden::yolov4(config, weights, picture);
        const Predictions folded = golden::yolov4(config, fold(weights), picture);
        const test::Bound& bound = test::threshold("yolov4", "folded", "golden");
        EXPECT_WITHIN(expected.boxes, folded.boxes, bound);
        EXPECT_WITHIN(expected.scores, folded.scores, bound);
        RecordProperty(
            std::string(name) + "_relative_error_in_millionths",
            std::to_string(compare(expected.scores.data, folded.scores.data).relative_error * 1e6));
        EXPECT_OUTSIDE(expected.scores, golden::yolov4(config, fold(random(config, 64)), picture).scores, bound);
    }
}

}  // namespace
}  // namespace zoo::yolov4
