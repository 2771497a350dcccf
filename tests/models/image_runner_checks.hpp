// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every runner of pictures must do. A model's test gives a Case and instantiates the suite:
//
//     struct TinyCase {
//         using Runner = mnist::Runner;
//         static constexpr std::size_t kL1Small = mnist::kL1SmallBytes;
//         Config config; Weights weights;                    // of a small network
//         HostTensor images(std::int64_t count, std::uint64_t seed) const;
//     };
//     INSTANTIATE_TYPED_TEST_SUITE_P(Mnist, ImageRunners, TinyCase);
#include <gtest/gtest.h>

#include <algorithm>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/memory_statistics.hpp>
#include <vector>

#include "support/throws.hpp"
#include "zoo/host_tensor.hpp"
#include "zoo/plan.hpp"

namespace zoo::test {

template <class Case>
class ImageRunners : public ::testing::Test {
protected:
    using Runner = typename Case::Runner;
    static constexpr Plan kPlans[] = {Plan::Functional, Plan::Optimized};

    [[nodiscard]] Runner start(std::int64_t batch, Plan plan, Mode mode = Mode::Plain) const {
        return Runner(*device_, case_.config, case_.weights, {.batch = batch, .mode = mode, .plan = plan});
    }

    // Two inputs, so that a replay that does not read its inputs is found out.
    [[nodiscard]] std::vector<HostTensor> answers(Plan plan, Mode mode) const {
        Runner runner = start(2, plan, mode);
        std::vector<HostTensor> results{runner.run(first_), runner.run(second_)};
        runner.submit(first_);
        runner.submit(second_);
        results.push_back(runner.next());
        results.push_back(runner.next());
        return results;
    }

    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, Case::kL1Small, 64 << 20, 2);
    Case case_;
    HostTensor first_ = case_.images(2, 62);
    HostTensor second_ = case_.images(2, 63);
};

TYPED_TEST_SUITE_P(ImageRunners);

TYPED_TEST_P(ImageRunners, EveryModeGivesThePlainBits) {
    for (const Plan plan : this->kPlans) {
        SCOPED_TRACE(to_string(plan));
        const std::vector<HostTensor> plain = this->answers(plan, Mode::Plain);
        EXPECT_EQ(plain[0].shape.front(), 2);
        EXPECT_NE(plain[0].data, plain[1].data);
        EXPECT_TRUE(plain[0].data == plain[2].data);
        EXPECT_TRUE(plain[1].data == plain[3].data);
        for (const Mode mode : {Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
            const std::vector<HostTensor> other = this->answers(plan, mode);
            for (std::size_t i = 0; i < plain.size(); ++i) {
                EXPECT_EQ(plain[i].shape, other[i].shape);
                EXPECT_TRUE(plain[i].data == other[i].data) << to_string(mode) << ", run " << i;
            }
        }
    }
}

TYPED_TEST_P(ImageRunners, ReplayAllocatesNothing) {
    for (const Plan plan : this->kPlans) {
        SCOPED_TRACE(to_string(plan));
        auto runner = this->start(2, plan, Mode::TracedTwoQueues);
        (void)runner.run(this->first_);
        ttnn_cpu::reset_memory_peaks(*this->device_);
        const ttnn_cpu::MemoryStatistics before = ttnn_cpu::memory_statistics(*this->device_);
        (void)runner.run(this->second_);
        (void)runner.run(this->first_);
        const ttnn_cpu::MemoryStatistics after = ttnn_cpu::memory_statistics(*this->device_);
        EXPECT_EQ(after.l1_allocated_peak, before.l1_allocated);
        EXPECT_EQ(after.dram_allocated_peak, before.dram_allocated);
    }
}

TYPED_TEST_P(ImageRunners, ABatchThatIsNotFullGivesTheSame) {
    for (const Plan plan : this->kPlans) {
        SCOPED_TRACE(to_string(plan));
        auto runner = this->start(2, plan);
        const HostTensor both = runner.run(this->first_);
        HostTensor one = this->first_;
        one.shape[0] = 1;
        one.data.resize(one.data.size() / 2);
        const HostTensor alone = runner.run(one);
        EXPECT_EQ(alone.shape, (Shape{1, both.shape[1]}));
        EXPECT_TRUE(std::equal(alone.data.begin(), alone.data.end(), both.data.begin()));
    }
}

TYPED_TEST_P(ImageRunners, RefusesWhatItCannotRun) {
    for (const Plan plan : this->kPlans) {
        auto runner = this->start(1, plan);
        EXPECT_THROWS_WITH((void)runner.run(this->first_), "there are 2 images; this runner takes up to 1");
        EXPECT_THROWS_WITH((void)runner.run(zeros({1, 3, 8, 8})), "images are [1, 3, 8, 8]; they must be");
        EXPECT_THROWS_WITH((void)runner.next(), "no run submitted");
        EXPECT_THROWS_WITH((void)this->start(0, plan), "batch is 0; it must be positive");
    }
}

REGISTER_TYPED_TEST_SUITE_P(
    ImageRunners, EveryModeGivesThePlainBits, ReplayAllocatesNothing, ABatchThatIsNotFullGivesTheSame,
    RefusesWhatItCannotRun);

}  // namespace zoo::test
