// SPDX-License-Identifier: Apache-2.0
// Whole models of two to six layers against the golden, for every task.
#include <gtest/gtest.h>

#include <ostream>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "models/bert/torch_bert.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "support/throws.hpp"
#include "tests/models/bert/plan_case.hpp"
#include "tests/models/bert/plans.hpp"

namespace zoo::bert {
namespace {

using test::threshold;
using Case = PlanCase;

Config config_of(const char* name) {
    Config config = preset(name);
    config.vocab_size = 1000;
    config.num_labels = 64;  // so that there is something to correlate
    return config;
}

class BertModel : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0); }
    static void TearDownTestSuite() { device_.reset(); }

    const test::Bound& bound(const char* module) const { return threshold("bert", module, to_string(GetParam().plan)); }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    Config config_ = config_of(GetParam().preset);
    Weights weights_ = random(config_, 51);
    Inputs inputs_ = random_inputs(config_, GetParam().batch, GetParam().sequence, 52);
    PlannedModel model_{GetParam().plan, config_, weights_, GetParam().batch, GetParam().sequence, *device_};
};

TEST_P(BertModel, Embeddings) {
    const HostTensor expected = golden::embeddings(config_, weights_.embeddings, inputs_);
    EXPECT_WITHIN(expected, model_.embeddings(inputs_), bound("embeddings"));
    const Weights other = random(config_, 59);
    EXPECT_OUTSIDE(expected, golden::embeddings(config_, other.embeddings, inputs_), bound("embeddings"));
}

TEST_P(BertModel, HiddenState) {
    const HostTensor expected = golden::bert(config_, weights_, inputs_);
    EXPECT_WITHIN(expected, model_.bert(inputs_), bound("bert"));

    Weights swapped = weights_;
    std::swap(swapped.layers[0], swapped.layers[1]);
    EXPECT_OUTSIDE(expected, golden::bert(config_, swapped, inputs_), bound("bert"));
}

TEST_P(BertModel, QuestionAnswering) {
    const HostTensor expected = golden::for_question_answering(config_, weights_, inputs_);
    EXPECT_WITHIN(expected, model_.for_question_answering(inputs_), bound("for_question_answering"));
}

TEST_P(BertModel, SentenceEmbedding) {
    const HostTensor expected = golden::sentence_embedding(config_, weights_, inputs_);
    EXPECT_WITHIN(expected, model_.sentence_embedding(inputs_), bound("sentence_embedding"));

    Inputs unmasked = inputs_;
    unmasked.attention_mask.assign(unmasked.attention_mask.size(), 1);
    EXPECT_OUTSIDE(expected, golden::sentence_embedding(config_, weights_, unmasked), bound("sentence_embedding"));
}

TEST_P(BertModel, MaskedLm) {
    const HostTensor expected = golden::for_masked_lm(config_, weights_, inputs_);
    EXPECT_WITHIN(expected, model_.for_masked_lm(inputs_), bound("for_masked_lm"));
}

TEST_P(BertModel, SequenceClassification) {
    const HostTensor expected = golden::for_sequence_classification(config_, weights_, inputs_);
    EXPECT_WITHIN(expected, model_.for_sequence_classification(inputs_), bound("for_sequence_classification"));
}

INSTANTIATE_TEST_SUITE_P(
    Functional, BertModel,
    ::testing::Values(
        Case{Plan::Functional, "bert-tiny", 1, 128}, Case{Plan::Functional, "bert-tiny", 8, 128},
        Case{Plan::Functional, "bert-tiny", 2, 50}, Case{Plan::Functional, "minilm-l6", 1, 128}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Optimized, BertModel,
    ::testing::Values(
        Case{Plan::Optimized, "bert-tiny", 1, 128}, Case{Plan::Optimized, "bert-tiny", 8, 128},
        Case{Plan::Optimized, "minilm-l6", 1, 128}, Case{Plan::Optimized, "minilm-l6", 8, 128}),
    name_of);

// The card's own arithmetic, module by module.
TEST(BertWormhole, TinyHasBoundsOfItsOwn) {
    const auto device = ttnn::open_mesh_device(0);
    ttnn_cpu::set_numerics(*device, ttnn_cpu::Numerics::Wormhole);
    const Config config = config_of("bert-tiny");
    const Weights weights = random(config, 55);
    const Inputs inputs = random_inputs(config, 1, 64, 56);
    const HostTensor embedded = golden::embeddings(config, weights.embeddings, inputs);
    const HostTensor hidden = golden::bert(config, weights, inputs);
    const HostTensor answers = golden::for_question_answering(config, weights, inputs);
    const HostTensor words = golden::for_masked_lm(config, weights, inputs);
    const HostTensor classes = golden::for_sequence_classification(config, weights, inputs);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const PlannedModel model(plan, config, weights, 1, 64, *device);
        const auto bound = [&](const char* module) {
            return threshold("bert", module, std::string(to_string(plan)) + "_wormhole");
        };
        EXPECT_WITHIN(embedded, model.embeddings(inputs), bound("embeddings"));
        EXPECT_WITHIN(hidden, model.bert(inputs), bound("bert"));
        EXPECT_WITHIN(answers, model.for_question_answering(inputs), bound("for_question_answering"));
        EXPECT_WITHIN(words, model.for_masked_lm(inputs), bound("for_masked_lm"));
        EXPECT_WITHIN(classes, model.for_sequence_classification(inputs), bound("for_sequence_classification"));
    }
}

TEST(BertHeads, AreNamedWhenTheyAreMissing) {
    const auto device = ttnn::open_mesh_device(0);
    const Config config = preset("bert-tiny");
    const Weights bare =
        random(config, 53, {.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false});
    const Inputs inputs = random_inputs(config, 1, 32, 54);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const PlannedModel model(plan, config, bare, 1, 32, *device);
        EXPECT_THROWS_WITH((void)model.for_question_answering(inputs), "the weights have no qa_outputs head");
        EXPECT_THROWS_WITH((void)model.for_masked_lm(inputs), "the weights have no predictions head");
        EXPECT_THROWS_WITH((void)model.for_sequence_classification(inputs), "the weights have no classifier head");
    }
}

}  // namespace
}  // namespace zoo::bert
