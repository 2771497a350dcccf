// SPDX-License-Identifier: Apache-2.0
// Each module of one layer against its golden, functional and optimized, at the sizes of real models.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <ttnn/device.hpp>
#include <utility>

#include "models/bert/torch_bert.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "tests/models/bert/plan_case.hpp"
#include "tests/models/bert/plans.hpp"

namespace zoo::bert {
namespace {

using test::threshold;
using Case = PlanCase;

// One layer, and few words: what a module costs does not depend on them.
Config one_layer(const char* name) {
    Config config = preset(name);
    config.num_hidden_layers = 1;
    config.vocab_size = 1000;
    return config;
}

class BertModules : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0); }
    static void TearDownTestSuite() { device_.reset(); }

    // Also what the golden makes of other weights must be outside of the bound: a bound that cannot tell is none.
    void expect_close(
        const char* module, const HostTensor& expected, const HostTensor& actual, const HostTensor& mistaken) const {
        const test::Bound& bound = threshold("bert", module, to_string(GetParam().plan));
        EXPECT_WITHIN(expected, actual, bound);
        EXPECT_OUTSIDE(expected, mistaken, bound);
        const Comparison found = compare(expected.data, actual.data);
        RecordProperty("pcc", std::to_string(found.pcc));
        RecordProperty("relative_error", std::to_string(found.relative_error));
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    Config config_ = one_layer(GetParam().preset);
    Weights weights_ = random(config_, 31);
    Weights other_ = random(config_, 32);
    Inputs inputs_ = random_inputs(config_, GetParam().batch, GetParam().sequence, 33);
    HostTensor mask_ = additive_mask(inputs_);
    HostTensor hidden_ = test::normal({GetParam().batch, GetParam().sequence, config_.hidden_size}, 34);
    PlannedModel model_{GetParam().plan, config_, weights_, GetParam().batch, GetParam().sequence, *device_};
};

TEST_P(BertModules, Embeddings) {
    expect_close(
        "embeddings", golden::embeddings(config_, weights_.embeddings, inputs_), model_.embeddings(inputs_),
        golden::embeddings(config_, other_.embeddings, inputs_));
}

TEST_P(BertModules, SelfAttention) {
    const AttentionWeights& attention = weights_.layers[0].attention;
    AttentionWeights swapped = attention;
    std::swap(swapped.query, swapped.value);
    const HostTensor expected = golden::self_attention(config_, attention, hidden_, mask_);
    const HostTensor actual = model_.self_attention(hidden_, inputs_);
    expect_close("self_attention", expected, actual, golden::self_attention(config_, swapped, hidden_, mask_));
    const HostTensor unmasked = zeros(mask_.shape);
    EXPECT_OUTSIDE(
        golden::self_attention(config_, attention, hidden_, unmasked), actual,
        threshold("bert", "self_attention", to_string(GetParam().plan)));
}

TEST_P(BertModules, AttentionOutput) {
    const AttentionWeights& attention = weights_.layers[0].attention;
    const HostTensor context = test::normal(hidden_.shape, 35, 0.0F, 0.3F);
    const HostTensor no_residual = zeros(hidden_.shape);
    expect_close(
        "attention_output", golden::attention_output(config_, attention, context, hidden_),
        model_.attention_output(context, hidden_), golden::attention_output(config_, attention, context, no_residual));
}

TEST_P(BertModules, Intermediate) {
    const Linear& linear = weights_.layers[0].feed_forward.intermediate;
    Linear no_bias = linear;
    no_bias.bias = zeros(linear.bias.shape);
    expect_close(
        "intermediate", golden::intermediate(config_, linear, hidden_), model_.intermediate(hidden_),
        golden::intermediate(config_, no_bias, hidden_));
}

TEST_P(BertModules, FeedForward) {
    const FeedForwardWeights& feed_forward = weights_.layers[0].feed_forward;
    FeedForwardWeights mistaken = feed_forward;
    mistaken.output = other_.layers[0].feed_forward.output;
    expect_close(
        "feed_forward", golden::feed_forward(config_, feed_forward, hidden_), model_.feed_forward(hidden_),
        golden::feed_forward(config_, mistaken, hidden_));
}

TEST_P(BertModules, EncoderLayer) {
    LayerWeights mistaken = weights_.layers[0];
    mistaken.attention.layer_norm = other_.layers[0].attention.layer_norm;
    expect_close(
        "encoder_layer", golden::encoder_layer(config_, weights_.layers[0], hidden_, mask_),
        model_.encoder_layer(hidden_, inputs_), golden::encoder_layer(config_, mistaken, hidden_, mask_));
}

TEST_P(BertModules, Pooler) {
    HostTensor second = hidden_;  // the second token in the place of the first
    std::rotate(second.data.begin(), second.data.begin() + config_.hidden_size, second.data.end());
    expect_close(
        "pooler", golden::pooler(config_, *weights_.pooler, hidden_), model_.pooler(hidden_),
        golden::pooler(config_, *weights_.pooler, second));
}

INSTANTIATE_TEST_SUITE_P(
    Functional, BertModules,
    ::testing::Values(
        Case{Plan::Functional, "bert-large-squad2", 1, 384}, Case{Plan::Functional, "bert-large-squad2", 8, 128},
        Case{Plan::Functional, "bert-large-squad2", 1, 100}, Case{Plan::Functional, "minilm-l6", 3, 17}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Optimized, BertModules,
    ::testing::Values(
        Case{Plan::Optimized, "bert-large-squad2", 1, 384}, Case{Plan::Optimized, "bert-large-squad2", 8, 384},
        Case{Plan::Optimized, "minilm-l6", 1, 128}, Case{Plan::Optimized, "bert-base", 8, 128}),
    name_of);

// The test of TTNN's conversion guide: bert_intermediate of bert-large at 1x384x1024, inputs in [-0.1, 0.1).
TEST(BertIntermediate, OfTheConversionGuide) {
    const auto device = ttnn::open_mesh_device(0);
    const Config config = one_layer("bert-large-squad2");
    Weights weights = random(config, 36);
    Linear& linear = weights.layers[0].feed_forward.intermediate;
    linear = {test::normal({4096, 1024}, 1, 0.0F, 0.0375F), test::normal({4096}, 2, 0.0F, 0.04F)};
    const HostTensor hidden = test::uniform({1, 384, 1024}, 3, -0.1F, 0.1F);
    const HostTensor expected = golden::intermediate(config, linear, hidden);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const PlannedModel model(plan, config, weights, 1, 384, *device);
        EXPECT_WITHIN(expected, model.intermediate(hidden), threshold("bert", "guide_intermediate", to_string(plan)));
    }
}

}  // namespace
}  // namespace zoo::bert
