// SPDX-License-Identifier: Apache-2.0
// bert-large at 384 tokens: all 24 layers against the golden, and what it needs of an n150's L1.
#include <gtest/gtest.h>

#include <algorithm>
#include <ttnn/device.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "models/bert/torch_bert.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "tests/models/bert/plans.hpp"

namespace zoo::bert {
namespace {

using test::threshold;

TEST(BertLarge, HiddenStateAndAnswersAt384Tokens) {
    const auto device = ttnn::open_mesh_device(0);
    const Config config = preset("bert-large-squad2");
    const Weights weights =
        random(config, 61, {.pooler = false, .qa_outputs = true, .classifier = false, .predictions = false});
    const Inputs inputs = random_inputs(config, 1, 384, 62);
    const HostTensor hidden = golden::bert(config, weights, inputs);
    const HostTensor logits = golden::for_question_answering(config, weights, inputs);
    HostTensor mistaken = hidden;  // by one token
    std::rotate(mistaken.data.begin(), mistaken.data.begin() + config.hidden_size, mistaken.data.end());
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const PlannedModel model(plan, config, weights, 1, 384, *device);
        EXPECT_WITHIN(hidden, model.bert(inputs), threshold("bert", "bert_large", to_string(plan)));
        EXPECT_WITHIN(
            logits, model.for_question_answering(inputs), threshold("bert", "bert_large_answers", to_string(plan)));
        EXPECT_OUTSIDE(hidden, mistaken, threshold("bert", "bert_large", to_string(plan)));
    }
}

class BertLargeFits : public ::testing::TestWithParam<std::int64_t> {};

// Layers are alike and free what they take: two of them need as much L1 as 24.
TEST_P(BertLargeFits, AnN150) {
    const auto device = ttnn::open_mesh_device(0);
    Config config = preset("bert-large-squad2");
    config.num_hidden_layers = 2;
    config.vocab_size = 1000;
    const Weights weights = random(config, 63);
    const Inputs inputs = random_inputs(config, GetParam(), 384, 64);
    const PlannedModel model(Plan::Optimized, config, weights, GetParam(), 384, *device);
    const std::uint64_t before = ttnn_cpu::memory_statistics(*device).l1_allocated;
    ttnn_cpu::reset_memory_peaks(*device);
    EXPECT_NO_THROW((void)model.for_question_answering(inputs));
    const ttnn_cpu::MemoryStatistics statistics = ttnn_cpu::memory_statistics(*device);
    EXPECT_LE(statistics.l1_peak, statistics.l1_capacity) << "in " << statistics.l1_peak_op;
    EXPECT_GT(statistics.l1_peak, statistics.l1_capacity / 8) << "activations are not in L1";
    EXPECT_EQ(statistics.l1_allocated, before) << "something was not freed";
    RecordProperty("l1_peak", std::to_string(statistics.l1_peak));
    RecordProperty("l1_peak_op", statistics.l1_peak_op);
}

INSTANTIATE_TEST_SUITE_P(Batch, BertLargeFits, ::testing::Values(1, 8), [](const auto& row) {
    return std::to_string(row.param);
});

}  // namespace
}  // namespace zoo::bert
