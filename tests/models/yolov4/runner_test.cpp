// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/runner.hpp"

#include <gtest/gtest.h>

#include <ttnn/device.hpp>

#include "support/throws.hpp"
#include "zoo/random.hpp"

namespace zoo::yolov4 {
namespace {

struct Case {
    const char* preset;
    Plan plan;
};

class Yolov4Runner : public ::testing::TestWithParam<Case> {
protected:
    HostTensor picture(std::uint64_t seed) const {
        return Random(seed).uniform({1, 3, config_.height, config_.width}, 0.0F, 1.0F);
    }

    // Two pictures, so that a replay that does not read its input is found out.
    std::vector<Predictions> answers(Mode mode) {
        Runner runner(*device_, config_, weights_, {.mode = mode, .plan = GetParam().plan});
        std::vector<Predictions> results{runner.run(picture(1)), runner.run(picture(2))};
        runner.submit(picture(1));
        runner.submit(picture(2));
        results.push_back(runner.next());
        results.push_back(runner.next());
        return results;
    }

    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, 32 << 10, 16 << 20, 2);
    Config config_ = with_size(preset(GetParam().preset), 64, 64);
    Weights weights_ = random(config_, 71);
};

TEST_P(Yolov4Runner, AllModesGiveEqualBits) {
    const std::vector<Predictions> plain = answers(Mode::Plain);
    EXPECT_NE(plain[0].scores.data, plain[1].scores.data);
    EXPECT_NE(plain[0].boxes.data, plain[1].boxes.data);
    for (const Mode mode : {Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
        const std::vector<Predictions> other = answers(mode);
        ASSERT_EQ(other.size(), plain.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_TRUE(other[i].boxes.data == plain[i % 2].boxes.data) << to_string(mode) << ", run " << i;
            EXPECT_TRUE(other[i].scores.data == plain[i % 2].scores.data) << to_string(mode) << ", run " << i;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Presets, Yolov4Runner,
    ::testing::Values(
        Case{"yolov4-nano", Plan::Optimized}, Case{"yolov4-nano", Plan::Functional},
        Case{"yolov4-tiny", Plan::Optimized}),
    [](const auto& row) {
        return std::string(row.param.preset).substr(7) + "_" + std::string(to_string(row.param.plan));
    });

TEST(Yolov4RunnerOptions, RefusesWhatDoesNotGoTogether) {
    const auto device = ttnn::open_mesh_device(0, 32 << 10);
    const Config nano = preset("yolov4-nano");
    const Config tiny = with_size(preset("yolov4-tiny"), 64, 64);
    EXPECT_THROWS_WITH(
        Runner(*device, tiny, random(nano, 1), {}),
        "the weights are those of yolov4; the config is that of yolov4-tiny");
    Runner runner(*device, nano, random(nano, 1), {});
    EXPECT_THROWS_WITH((void)runner.run(zeros({1, 3, 64, 32})), "the picture is [1, 3, 64, 32]; this network takes");
    EXPECT_THROWS_WITH(Runner(*device, nano, random(nano, 1), {.mode = Mode::TwoQueues}), "queue");
    Config narrow = tiny;
    narrow.base_channels = 16;
    EXPECT_THROWS_WITH(
        Runner(*device, narrow, random(narrow, 1), {}), "base_channels is 16; it must be a multiple of 32");
}

// What an n150 does not hold is named, with the library's own count of bytes.
TEST(Yolov4RunnerOptions, SaysWhatDoesNotFit) {
    const auto device = ttnn::open_mesh_device(0, 32 << 10);
    const Config large = with_size(preset("yolov4-nano"), 1920, 1920);
    EXPECT_THROWS_WITH(Runner(*device, large, random(large, 1), {}), "[yolov4::optimized] down1.conv");
}

}  // namespace
}  // namespace zoo::yolov4
