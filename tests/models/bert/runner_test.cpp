// SPDX-License-Identifier: Apache-2.0
#include "models/bert/runner.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <ttnn/device.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "support/throws.hpp"

namespace zoo::bert {
namespace {

struct Case {
    const char* name;
    const char* preset;
    std::int64_t batch;
    std::int64_t sequence;
    Plan plan = Plan::Optimized;
};

void PrintTo(const Case& value, std::ostream* out) { *out << value.name; }

Config config_of(const char* name) {
    Config config = preset(name);
    config.vocab_size = 1000;
    config.num_hidden_layers = std::string_view(name) == "bert-large-squad2" ? 1 : config.num_hidden_layers;
    return config;
}

std::shared_ptr<ttnn::MeshDevice> open_device() { return ttnn::open_mesh_device(0, 0, 64 << 20, 2); }

class BertRunner : public ::testing::TestWithParam<Case> {
protected:
    Runner::Options options(Mode mode) const {
        return {
            .task = Task::QuestionAnswering,
            .batch = GetParam().batch,
            .sequence = GetParam().sequence,
            .mode = mode,
            .plan = GetParam().plan};
    }

    // Two inputs, so that a replay that does not read its inputs is found out.
    std::vector<HostTensor> answers(Mode mode) {
        Runner runner(*device_, config_, weights_, options(mode));
        std::vector<HostTensor> results{runner.run(first_), runner.run(second_)};
        runner.submit(first_);
        runner.submit(second_);
        results.push_back(runner.next());
        results.push_back(runner.next());
        return results;
    }

    void expect_bits_of_plain(Mode mode) {
        const std::vector<HostTensor> plain = answers(Mode::Plain);
        const std::vector<HostTensor> other = answers(mode);
        ASSERT_EQ(plain.size(), other.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            EXPECT_EQ(plain[i].shape, other[i].shape);
            EXPECT_TRUE(plain[i].data == other[i].data) << "run " << i;
        }
        EXPECT_NE(plain[0].data, plain[1].data);
        EXPECT_TRUE(plain[0].data == plain[2].data);
        EXPECT_TRUE(plain[1].data == plain[3].data);
    }

    std::shared_ptr<ttnn::MeshDevice> device_ = open_device();
    Config config_ = config_of(GetParam().preset);
    Weights weights_ = random(config_, 71);
    Inputs first_ = random_inputs(config_, GetParam().batch, GetParam().sequence, 72);
    Inputs second_ = random_inputs(config_, GetParam().batch, GetParam().sequence, 73);
};

TEST_P(BertRunner, TraceGivesThePlainBits) { expect_bits_of_plain(Mode::Traced); }

TEST_P(BertRunner, TwoQueuesGiveThePlainBits) { expect_bits_of_plain(Mode::TwoQueues); }

TEST_P(BertRunner, TraceAndTwoQueuesGiveThePlainBits) { expect_bits_of_plain(Mode::TracedTwoQueues); }

TEST_P(BertRunner, ReplayAllocatesNothing) {
    Runner runner(*device_, config_, weights_, options(Mode::TracedTwoQueues));
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
    Sizes, BertRunner,
    ::testing::Values(
        Case{"TinyBatch1", "bert-tiny", 1, 64}, Case{"TinyBatch8", "bert-tiny", 8, 128},
        Case{"TinyFunctional", "bert-tiny", 2, 64, Plan::Functional}, Case{"LargeBatch1", "bert-large-squad2", 1, 384},
        Case{"LargeBatch8", "bert-large-squad2", 8, 128}),
    [](const auto& row) { return std::string(row.param.name); });

class BertRunnerTasks : public ::testing::Test {
protected:
    std::shared_ptr<ttnn::MeshDevice> device_ = open_device();
    Config config_ = preset("bert-tiny");
    Weights weights_ = random(config_, 74);
};

TEST_F(BertRunnerTasks, ResultsHaveTheShapesOfTheTask) {
    const Inputs inputs = random_inputs(config_, 2, 40, 75);
    const auto shape = [&](Task task, Plan plan) {
        Runner runner(*device_, config_, weights_, {.task = task, .batch = 2, .sequence = 40, .plan = plan});
        return runner.run(inputs).shape;
    };
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        EXPECT_EQ(shape(Task::HiddenState, plan), (Shape{2, 40, 128}));
        EXPECT_EQ(shape(Task::QuestionAnswering, plan), (Shape{2, 40, 2}));
        EXPECT_EQ(shape(Task::SentenceEmbedding, plan), (Shape{2, 128}));
        EXPECT_EQ(shape(Task::MaskedLm, plan), (Shape{2, 40, 1000}));
        EXPECT_EQ(shape(Task::SequenceClassification, plan), (Shape{2, 3}));
    }
}

// Padding to the runner's size changes rounding by nothing: rows of a matrix do not meet, and masked keys weigh 0.
TEST_F(BertRunnerTasks, AShortSequenceGivesTheSameInALargerRunner) {
    const Inputs inputs = random_inputs(config_, 1, 32, 76);
    const Runner::Options small{
        .task = Task::HiddenState, .batch = 1, .sequence = 32, .mode = Mode::Plain, .plan = Plan::Functional};
    Runner::Options large = small;
    large.batch = 3;
    large.sequence = 96;
    const HostTensor a = Runner(*device_, config_, weights_, small).run(inputs);
    const HostTensor b = Runner(*device_, config_, weights_, large).run(inputs);
    ASSERT_EQ(a.shape, b.shape);
    for (std::size_t i = 0; i < a.data.size(); ++i) {
        ASSERT_NEAR(a.data[i], b.data[i], 0.05F) << i;
    }
}

TEST_F(BertRunnerTasks, RefusesWhatItCannotRun) {
    const auto runner = [&](const Runner::Options& options) { Runner(*device_, config_, weights_, options); };
    EXPECT_THROWS_WITH(runner({.sequence = 129}), "sequence is 129, 160 in whole tiles; it must be between 1 and");
    EXPECT_THROWS_WITH(runner({.sequence = 0}), "sequence is 0");
    Runner small(*device_, config_, weights_, {.batch = 1, .sequence = 32});
    EXPECT_THROWS_WITH(
        (void)small.run(random_inputs(config_, 2, 32, 77)),
        "inputs are 2 sequences of 32; this runner takes up to 1 of 32");
    EXPECT_THROWS_WITH((void)small.next(), "no run submitted");
    const Weights bare =
        random(config_, 78, {.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false});
    EXPECT_THROWS_WITH(
        Runner(*device_, config_, bare, {.task = Task::MaskedLm, .sequence = 32}),
        "[bert::Runner] the weights have no predictions head");
}

TEST(BertTask, NamesGoThereAndBack) {
    for (const Task task :
         {Task::HiddenState, Task::QuestionAnswering, Task::SentenceEmbedding, Task::MaskedLm,
          Task::SequenceClassification}) {
        EXPECT_EQ(task_from_string(to_string(task)), task);
    }
    EXPECT_THROWS_WITH((void)task_from_string("dream"), "there is no task 'dream'; it must be one of hidden-state");
}

}  // namespace
}  // namespace zoo::bert
