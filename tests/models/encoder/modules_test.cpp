// SPDX-License-Identifier: Apache-2.0
// Each module of one layer against its golden, functional and optimized, at the sizes of real models.
#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <ttnn/device.hpp>
#include <utility>

#include "models/albert/weights.hpp"
#include "models/bert/weights.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "tests/models/encoder/planned_layer.hpp"
#include "zoo/encoder/torch_layers.hpp"

namespace zoo::encoder {
namespace {

using test::threshold;

struct Case {
    Plan plan;
    const char* model;
    const char* preset;
    std::int64_t batch;
    std::int64_t sequence;
};

void PrintTo(const Case& value, std::ostream* out) {
    *out << to_string(value.plan) << " " << value.preset << " batch " << value.batch << " sequence " << value.sequence;
}

std::string name_of(const ::testing::TestParamInfo<Case>& row) {
    std::string name = row.param.preset;
    std::erase_if(name, [](char letter) { return letter == '-'; });
    return name + "Batch" + std::to_string(row.param.batch) + "Sequence" + std::to_string(row.param.sequence);
}

struct Subject {
    LayerSpec spec;
    Limits limits;
    LayerWeights layer;
    Linear pooler;
};

// One layer, and few words: what a module costs does not depend on them.
Subject subject_of(std::string_view model, const char* preset, std::uint64_t seed) {
    constexpr Heads kPooler{.pooler = true, .qa_outputs = false, .classifier = false, .predictions = false};
    if (model == "bert") {
        bert::Config config = bert::preset(preset);
        config.num_hidden_layers = 1;
        config.vocab_size = 1000;
        bert::Weights weights = bert::random(config, seed, kPooler);
        return {config, config, std::move(weights.layers[0]), std::move(*weights.pooler)};
    }
    albert::Config config = albert::preset(preset);
    config.vocab_size = 1000;
    albert::Weights weights = albert::random(config, seed, kPooler);
    return {config, config, std::move(weights.groups[0][0]), std::move(*weights.pooler)};
}

class EncoderModules : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0); }
    static void TearDownTestSuite() { device_.reset(); }

    // Also what the golden makes of other weights must be outside of the bound: a bound that cannot tell is none.
    void expect_close(
        const char* module, const HostTensor& expected, const HostTensor& actual, const HostTensor& mistaken) const {
        EXPECT_WITHIN(expected, actual, bound(module));
        EXPECT_OUTSIDE(expected, mistaken, bound(module));
        const Comparison found = compare(expected.data, actual.data);
        RecordProperty("pcc", std::to_string(found.pcc));
        RecordProperty("relative_error", std::to_string(found.relative_error));
    }

    const test::Bound& bound(const char* module) const {
        return threshold(GetParam().model, module, to_string(GetParam().plan));
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    Subject subject_ = subject_of(GetParam().model, GetParam().preset, 31);
    LayerSpec spec_ = subject_.spec;
    Inputs inputs_ = random_inputs(subject_.limits, GetParam().batch, GetParam().sequence, 33);
    HostTensor mask_ = additive_mask(inputs_);
    HostTensor hidden_ = test::normal({GetParam().batch, GetParam().sequence, spec_.hidden_size}, 34);
    PlannedLayer model_{GetParam().plan,     spec_,   subject_.layer, subject_.pooler, GetParam().batch,
                        GetParam().sequence, *device_};
};

TEST_P(EncoderModules, SelfAttention) {
    const AttentionWeights& attention = subject_.layer.attention;
    AttentionWeights swapped = attention;
    std::swap(swapped.query, swapped.value);
    const HostTensor expected = golden::self_attention(spec_, attention, hidden_, mask_);
    const HostTensor actual = model_.self_attention(hidden_, inputs_);
    expect_close("self_attention", expected, actual, golden::self_attention(spec_, swapped, hidden_, mask_));
    const HostTensor unmasked = zeros(mask_.shape);
    EXPECT_OUTSIDE(golden::self_attention(spec_, attention, hidden_, unmasked), actual, bound("self_attention"));
}

TEST_P(EncoderModules, AttentionOutput) {
    const AttentionWeights& attention = subject_.layer.attention;
    const HostTensor context = test::normal(hidden_.shape, 35, 0.0F, 0.3F);
    const HostTensor no_residual = zeros(hidden_.shape);
    expect_close(
        "attention_output", golden::attention_output(spec_, attention, context, hidden_),
        model_.attention_output(context, hidden_), golden::attention_output(spec_, attention, context, no_residual));
}

TEST_P(EncoderModules, Intermediate) {
    const Linear& linear = subject_.layer.feed_forward.intermediate;
    Linear no_bias = linear;
    no_bias.bias = zeros(linear.bias.shape);
    expect_close(
        "intermediate", golden::intermediate(spec_, linear, hidden_), model_.intermediate(hidden_),
        golden::intermediate(spec_, no_bias, hidden_));
}

TEST_P(EncoderModules, FeedForward) {
    const FeedForwardWeights& feed_forward = subject_.layer.feed_forward;
    FeedForwardWeights mistaken = feed_forward;
    mistaken.output = subject_of(GetParam().model, GetParam().preset, 32).layer.feed_forward.output;
    expect_close(
        "feed_forward", golden::feed_forward(spec_, feed_forward, hidden_), model_.feed_forward(hidden_),
        golden::feed_forward(spec_, mistaken, hidden_));
}

TEST_P(EncoderModules, EncoderLayer) {
    LayerWeights mistaken = subject_.layer;
    mistaken.attention.layer_norm = subject_.layer.feed_forward.layer_norm;
    expect_close(
        "encoder_layer", golden::encoder_layer(spec_, subject_.layer, hidden_, mask_),
        model_.encoder_layer(hidden_, inputs_), golden::encoder_layer(spec_, mistaken, hidden_, mask_));
}

TEST_P(EncoderModules, Pooler) {
    HostTensor second = hidden_;  // the second token in the place of the first
    std::rotate(second.data.begin(), second.data.begin() + spec_.hidden_size, second.data.end());
    expect_close(
        "pooler", golden::pooler(spec_, subject_.pooler, hidden_), model_.pooler(hidden_),
        golden::pooler(spec_, subject_.pooler, second));
}

INSTANTIATE_TEST_SUITE_P(
    Functional, EncoderModules,
    ::testing::Values(
        Case{Plan::Functional, "bert", "bert-large-squad2", 1, 384},
        Case{Plan::Functional, "bert", "bert-large-squad2", 8, 128},
        Case{Plan::Functional, "bert", "bert-large-squad2", 1, 100}, Case{Plan::Functional, "bert", "minilm-l6", 3, 17},
        Case{Plan::Functional, "albert", "albert-base-v2", 1, 128}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Optimized, EncoderModules,
    ::testing::Values(
        Case{Plan::Optimized, "bert", "bert-large-squad2", 1, 384},
        Case{Plan::Optimized, "bert", "bert-large-squad2", 8, 384}, Case{Plan::Optimized, "bert", "minilm-l6", 1, 128},
        Case{Plan::Optimized, "bert", "bert-base", 8, 128}, Case{Plan::Optimized, "albert", "albert-base-v2", 1, 128}),
    name_of);

// The test of TTNN's conversion guide: bert_intermediate of bert-large at 1x384x1024, inputs in [-0.1, 0.1).
TEST(BertIntermediate, OfTheConversionGuide) {
    const auto device = ttnn::open_mesh_device(0);
    Subject subject = subject_of("bert", "bert-large-squad2", 36);
    Linear& linear = subject.layer.feed_forward.intermediate;
    linear = {test::normal({4096, 1024}, 1, 0.0F, 0.0375F), test::normal({4096}, 2, 0.0F, 0.04F)};
    const HostTensor hidden = test::uniform({1, 384, 1024}, 3, -0.1F, 0.1F);
    const HostTensor expected = golden::intermediate(subject.spec, linear, hidden);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const PlannedLayer model(plan, subject.spec, subject.layer, subject.pooler, 1, 384, *device);
        EXPECT_WITHIN(expected, model.intermediate(hidden), threshold("bert", "guide_intermediate", to_string(plan)));
    }
}

}  // namespace
}  // namespace zoo::encoder
