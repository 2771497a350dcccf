// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/runner.hpp"

#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "support/throws.hpp"

namespace zoo::mobilenetv2 {
namespace {

class MobileNetV2Runner : public ::testing::TestWithParam<Plan> {
protected:
    // Two inputs, so that a replay that does not read its inputs is found out.
    std::vector<HostTensor> answers(Mode mode) {
        Runner runner(*device_, config_, weights_, {.batch = 2, .mode = mode, .plan = GetParam()});
        std::vector<HostTensor> results{runner.run(first_), runner.run(second_)};
        runner.submit(first_);
        runner.submit(second_);
        results.push_back(runner.next());
        results.push_back(runner.next());
        return results;
    }

    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, kL1SmallBytes, 64 << 20, 2);
    Config config_ = preset("mobilenetv2-tiny");
    Weights weights_ = random(config_, 61);
    HostTensor first_ = random_images(2, config_.size(), 62);
    HostTensor second_ = random_images(2, config_.size(), 63);
};

TEST_P(MobileNetV2Runner, EveryModeGivesThePlainBits) {
    const std::vector<HostTensor> plain = answers(Mode::Plain);
    EXPECT_EQ(plain[0].shape, (Shape{2, 10}));
    EXPECT_NE(plain[0].data, plain[1].data);
    EXPECT_TRUE(plain[0].data == plain[2].data);
    EXPECT_TRUE(plain[1].data == plain[3].data);
    for (const Mode mode : {Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
        const std::vector<HostTensor> other = answers(mode);
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_TRUE(plain[i].data == other[i].data) << to_string(mode) << ", run " << i;
        }
    }
}

TEST_P(MobileNetV2Runner, ReplayAllocatesNothing) {
    Runner runner(*device_, config_, weights_, {.batch = 2, .mode = Mode::TracedTwoQueues, .plan = GetParam()});
    (void)runner.run(first_);
    ttnn_cpu::reset_memory_peaks(*device_);
    const ttnn_cpu::MemoryStatistics before = ttnn_cpu::memory_statistics(*device_);
    (void)runner.run(second_);
    const ttnn_cpu::MemoryStatistics after = ttnn_cpu::memory_statistics(*device_);
    EXPECT_EQ(after.l1_allocated_peak, before.l1_allocated);
    EXPECT_EQ(after.dram_allocated_peak, before.dram_allocated);
}

TEST_P(MobileNetV2Runner, ABatchThatIsNotFullGivesTheSame) {
    Runner runner(*device_, config_, weights_, {.batch = 2, .plan = GetParam()});
    const HostTensor both = runner.run(first_);
    HostTensor one = first_;
    one.shape[0] = 1;
    one.data.resize(one.data.size() / 2);
    const HostTensor alone = runner.run(one);
    EXPECT_EQ(alone.shape, (Shape{1, 10}));
    EXPECT_TRUE(std::equal(alone.data.begin(), alone.data.end(), both.data.begin()));
}

TEST_P(MobileNetV2Runner, RefusesWhatItCannotRun) {
    Runner runner(*device_, config_, weights_, {.batch = 1, .plan = GetParam()});
    EXPECT_THROWS_WITH((void)runner.run(first_), "[mobilenetv2::Runner] there are 2 images; this runner takes up to 1");
    EXPECT_THROWS_WITH((void)runner.run(zeros({1, 3, 8, 8})), "images are [1, 3, 8, 8]; they must be");
    EXPECT_THROWS_WITH((void)runner.next(), "no run submitted");
    EXPECT_THROWS_WITH(Runner(*device_, config_, weights_, {.batch = 0, .plan = GetParam()}), "batch is 0");
}

INSTANTIATE_TEST_SUITE_P(
    Plans, MobileNetV2Runner, ::testing::Values(Plan::Functional, Plan::Optimized),
    [](const auto& row) { return std::string(to_string(row.param)); });

}  // namespace
}  // namespace zoo::mobilenetv2
