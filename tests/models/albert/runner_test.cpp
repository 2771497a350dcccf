// SPDX-License-Identifier: Apache-2.0
#include "models/albert/runner.hpp"

#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "support/throws.hpp"

namespace zoo::albert {
namespace {

std::shared_ptr<ttnn::MeshDevice> open_device() { return ttnn::open_mesh_device(0, 0, 64 << 20, 2); }

class AlbertRunner : public ::testing::TestWithParam<Mode> {
protected:
    // Two inputs, so that a replay that does not read its inputs is found out.
    std::vector<HostTensor> answers(Mode mode, Plan plan) {
        Runner runner(
            *device_, config_, weights_,
            {.task = Task::SequenceClassification, .batch = 2, .sequence = 64, .mode = mode, .plan = plan});
        std::vector<HostTensor> results{runner.run(first_), runner.run(second_)};
        runner.submit(first_);
        runner.submit(second_);
        results.push_back(runner.next());
        results.push_back(runner.next());
        return results;
    }

    std::shared_ptr<ttnn::MeshDevice> device_ = open_device();
    Config config_ = preset("albert-tiny");
    Weights weights_ = random(config_, 71);
    Inputs first_ = random_inputs(config_, 2, 64, 72);
    Inputs second_ = random_inputs(config_, 1, 40, 73);
};

TEST_P(AlbertRunner, GivesThePlainBits) {
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const std::vector<HostTensor> plain = answers(Mode::Plain, plan);
        const std::vector<HostTensor> other = answers(GetParam(), plan);
        ASSERT_EQ(plain.size(), other.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(plain[i].shape, other[i].shape);
            EXPECT_EQ(plain[i].data, other[i].data) << to_string(plan) << " run " << i;
        }
        EXPECT_EQ(plain[0].data, plain[2].data);
        EXPECT_NE(plain[0].data[0], plain[1].data[0]);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Modes, AlbertRunner, ::testing::Values(Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues), [](const auto& row) {
        return std::string(row.param == Mode::Traced ? "Traced" : row.param == Mode::TwoQueues ? "TwoQueues" : "Both");
    });

TEST(AlbertRunnerMemory, ReplayAllocatesNothing) {
    const auto device = open_device();
    const Config config = preset("albert-tiny");
    Runner runner(
        *device, config, random(config, 74),
        {.task = Task::QuestionAnswering, .batch = 1, .sequence = 64, .mode = Mode::TracedTwoQueues});
    (void)runner.run(random_inputs(config, 1, 64, 75));
    ttnn_cpu::reset_memory_peaks(*device);
    const ttnn_cpu::MemoryStatistics before = ttnn_cpu::memory_statistics(*device);
    (void)runner.run(random_inputs(config, 1, 64, 76));
    const ttnn_cpu::MemoryStatistics after = ttnn_cpu::memory_statistics(*device);
    EXPECT_EQ(after.l1_allocated_peak, before.l1_allocated);
    EXPECT_EQ(after.dram_allocated_peak, before.dram_allocated);
}

TEST(AlbertRunnerRules, RefusesWhatItCannotRun) {
    const auto device = open_device();
    const Config config = preset("albert-tiny");
    const Weights bare =
        random(config, 77, {.pooler = false, .qa_outputs = false, .classifier = true, .predictions = false});
    EXPECT_THROWS_WITH(
        Runner(*device, config, bare, {.task = Task::MaskedLm, .sequence = 32}),
        "[albert::Runner] the weights have no predictions head");
    EXPECT_THROWS_WITH(
        Runner(*device, config, bare, {.task = Task::SequenceClassification, .sequence = 32}),
        "[albert::Runner] the weights have no pooler");
    EXPECT_THROWS_WITH(
        Runner(*device, config, bare, {.task = Task::HiddenState, .sequence = 512}),
        "sequence is 512, 512 in whole tiles; it must be between 1 and max_position_embeddings 128");
    Runner small(*device, config, bare, {.task = Task::HiddenState, .batch = 1, .sequence = 32});
    EXPECT_THROWS_WITH(
        (void)small.run(random_inputs(config, 2, 32, 78)),
        "inputs are 2 sequences of 32; this runner takes up to 1 of 32");
}

}  // namespace
}  // namespace zoo::albert
