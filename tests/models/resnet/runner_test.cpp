// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/runner.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "models/resnet/images.hpp"
#include "support/throws.hpp"

namespace zoo::resnet {
namespace {

struct Case {
    const char* name;
    const char* preset;
    std::int64_t batch;
    Plan plan = Plan::Optimized;
    ttnn_cpu::Numerics numerics = ttnn_cpu::Numerics::Fast;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

class ResnetRunner : public ::testing::TestWithParam<Case> {
protected:
    void SetUp() override { ttnn_cpu::set_numerics(*device_, GetParam().numerics); }

    // Two inputs, so that a replay that does not read its inputs is found out.
    std::vector<HostTensor> answers(Mode mode) {
        Runner runner(*device_, config_, weights_, {.batch = GetParam().batch, .mode = mode, .plan = GetParam().plan});
        std::vector<HostTensor> results{runner.run(first_), runner.run(second_)};
        runner.submit(first_);
        runner.submit(second_);
        results.push_back(runner.next());
        results.push_back(runner.next());
        return results;
    }

    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, kL1SmallSize, 64 << 20, 2);
    Config config_ = preset(GetParam().preset);
    Weights weights_ = random(config_, 71);
    HostTensor first_ = random_images(config_, GetParam().batch, 72);
    HostTensor second_ = random_images(config_, GetParam().batch, 73);
};

TEST_P(ResnetRunner, EveryModeGivesThePlainBits) {
    const std::vector<HostTensor> plain = answers(Mode::Plain);
    EXPECT_NE(plain[0].data, plain[1].data);
    EXPECT_TRUE(plain[0].data == plain[2].data);
    EXPECT_TRUE(plain[1].data == plain[3].data);
    for (const Mode mode : {Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
        const std::vector<HostTensor> other = answers(mode);
        ASSERT_EQ(plain.size(), other.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(plain[i].shape, other[i].shape);
            EXPECT_TRUE(plain[i].data == other[i].data) << to_string(mode) << ", run " << i;
        }
    }
}

TEST_P(ResnetRunner, ReplayAllocatesNothing) {
    Runner runner(
        *device_, config_, weights_,
        {.batch = GetParam().batch, .mode = Mode::TracedTwoQueues, .plan = GetParam().plan});
    (void)runner.run(first_);
    ttnn_cpu::reset_memory_peaks(*device_);
    const ttnn_cpu::MemoryStatistics before = ttnn_cpu::memory_statistics(*device_);
    (void)runner.run(second_);
    (void)runner.run(first_);
    const ttnn_cpu::MemoryStatistics after = ttnn_cpu::memory_statistics(*device_);
    EXPECT_EQ(after.l1_allocated_peak, before.l1_allocated);
    EXPECT_EQ(after.dram_allocated_peak, before.dram_allocated);
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ResnetRunner,
    ::testing::Values(
        Case{"Tiny", "resnet-tiny", 2}, Case{"TinyFunctional", "resnet-tiny", 2, Plan::Functional},
        Case{"TinyExact", "resnet-tiny", 1, Plan::Optimized, ttnn_cpu::Numerics::Wormhole},
        Case{"Cifar", "resnet18-cifar", 4}, Case{"CifarFunctional", "resnet18-cifar", 1, Plan::Functional}),
    [](const auto& row) { return std::string(row.param.name); });

class ResnetRunnerSizes : public ::testing::Test {
protected:
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, kL1SmallSize);
    Config config_ = preset("resnet-tiny");
    Weights weights_ = random(config_, 74);
};

TEST_F(ResnetRunnerSizes, FewerImagesThanTheBatchGiveTheSame) {
    const HostTensor images = random_images(config_, 3, 75);
    HostTensor two = images;
    two.shape[0] = 2;
    two.data.resize(element_count(two.shape));
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        Runner runner(*device_, config_, weights_, {.batch = 3, .plan = plan});
        const HostTensor all = runner.run(images);
        const HostTensor some = runner.run(two);
        EXPECT_EQ(all.shape, (Shape{3, 20}));
        ASSERT_EQ(some.shape, (Shape{2, 20}));
        EXPECT_TRUE(std::equal(some.data.begin(), some.data.end(), all.data.begin()));
    }
}

TEST_F(ResnetRunnerSizes, RefusesWhatItCannotRun) {
    Runner runner(*device_, config_, weights_, {.batch = 1});
    EXPECT_THROWS_WITH(
        (void)runner.run(random_images(config_, 2, 76)), "there are 2 images; this runner takes up to 1");
    EXPECT_THROWS_WITH(
        (void)runner.run(zeros({1, 3, 32, 32})), "images are [1, 3, 32, 32]; they must be [batch, 3, 64, 64]");
    EXPECT_THROWS_WITH((void)runner.next(), "no run submitted");
    EXPECT_THROWS_WITH(Runner(*device_, config_, weights_, {.batch = 0}), "batch is 0; it must be positive");
}

}  // namespace
}  // namespace zoo::resnet
