// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "models/bert/torch_bert.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "tests/models/bert/torch_modules.hpp"
#include "zoo/error.hpp"

namespace zoo::bert {
namespace {

using test::threshold;
using ::testing::HasSubstr;

// The test of TTNN's conversion guide: bert_intermediate of bert-large at 1x384x1024, inputs in [-0.1, 0.1).
TEST(BertGolden, IntermediateEqualsTheTorchModule) {
    const Config config = preset("bert-large-squad2");
    const Linear weights{test::normal({4096, 1024}, 1, 0.0F, 0.0375F), test::normal({4096}, 2, 0.0F, 0.04F)};
    const HostTensor hidden = test::uniform({1, 384, 1024}, 3, -0.1F, 0.1F);
    const HostTensor expected = torch_modules::intermediate(config, weights, hidden);
    EXPECT_WITHIN(expected, golden::intermediate(config, weights, hidden), threshold("bert", "intermediate", "golden"));

    Linear no_bias = weights;
    no_bias.bias.data.assign(4096, 0.0F);
    EXPECT_OUTSIDE(
        expected, golden::intermediate(config, no_bias, hidden), threshold("bert", "intermediate", "golden"));
}

TEST(BertGolden, EncoderEqualsTorchsTransformerEncoder) {
    for (const char* name : {"bert-tiny", "minilm-l6"}) {
        const Config config = preset(name);
        const Weights weights = random(config, 11);
        const Inputs inputs = random_inputs(config, 2, 96, 12);
        const HostTensor hidden = test::normal({2, 96, config.hidden_size}, 13);
        const HostTensor mask = additive_mask(inputs);
        const HostTensor expected = torch_modules::encoder(config, weights.layers, hidden, inputs);
        EXPECT_WITHIN(
            expected, golden::encoder(config, weights.layers, hidden, mask), threshold("bert", "encoder", "golden"));

        const HostTensor unmasked = zeros({2, 1, 1, 96});
        EXPECT_OUTSIDE(
            expected, golden::encoder(config, weights.layers, hidden, unmasked),
            threshold("bert", "encoder", "golden"));
        auto swapped = weights.layers;
        std::swap(swapped[0].attention.query, swapped[0].attention.value);
        EXPECT_OUTSIDE(
            expected, golden::encoder(config, swapped, hidden, mask), threshold("bert", "encoder", "golden"));
    }
}

class BertGoldenModel : public ::testing::Test {
protected:
    Config config_ = preset("bert-tiny");
    Weights weights_ = random(config_, 21);
    Inputs inputs_ = random_inputs(config_, 2, 64, 22);
    HostTensor mask_ = additive_mask(inputs_);
};

TEST_F(BertGoldenModel, EmbeddingsAddThreeTablesAndNormalise) {
    const HostTensor hidden = golden::embeddings(config_, weights_.embeddings, inputs_);
    ASSERT_EQ(hidden.shape, (Shape{2, 64, 128}));
    const std::size_t row = 64 + 10;  // token 10 of the second sequence
    std::vector<double> sum(128);
    for (std::size_t i = 0; i < 128; ++i) {
        sum[i] = weights_.embeddings.word_embeddings.data[inputs_.input_ids[row] * 128 + i] +
                 weights_.embeddings.token_type_embeddings.data[inputs_.token_type_ids[row] * 128 + i] +
                 weights_.embeddings.position_embeddings.data[std::size_t{10} * 128 + i];
    }
    const double mean = std::accumulate(sum.begin(), sum.end(), 0.0) / 128.0;
    double variance = 0.0;
    for (const double value : sum) {
        variance += (value - mean) * (value - mean) / 128.0;
    }
    for (std::size_t i = 0; i < 128; ++i) {
        const double expected = (sum[i] - mean) / std::sqrt(variance + config_.layer_norm_eps) *
                                    weights_.embeddings.layer_norm.weight.data[i] +
                                weights_.embeddings.layer_norm.bias.data[i];
        EXPECT_NEAR(hidden.data[row * 128 + i], expected, 1e-5);
    }
}

TEST_F(BertGoldenModel, ModulesComposeToTheModel) {
    HostTensor hidden = golden::embeddings(config_, weights_.embeddings, inputs_);
    for (const LayerWeights& layer : weights_.layers) {
        const HostTensor context = golden::self_attention(config_, layer.attention, hidden, mask_);
        const HostTensor attended = golden::attention_output(config_, layer.attention, context, hidden);
        const HostTensor whole = golden::encoder_layer(config_, layer, hidden, mask_);
        hidden = golden::feed_forward(config_, layer.feed_forward, attended);
        EXPECT_EQ(hidden.data, whole.data);
    }
    EXPECT_EQ(hidden.data, golden::bert(config_, weights_, inputs_).data);
}

TEST_F(BertGoldenModel, PaddingDoesNotReachTheTokens) {
    Inputs other = inputs_;
    for (std::size_t i = 0; i < other.input_ids.size(); ++i) {
        if (other.attention_mask[i] == 0) {
            other.input_ids[i] = 999;
        }
    }
    ASSERT_NE(other.input_ids, inputs_.input_ids);
    const HostTensor a = golden::bert(config_, weights_, inputs_);
    const HostTensor b = golden::bert(config_, weights_, other);
    for (std::size_t i = 0; i < a.data.size(); ++i) {
        if (inputs_.attention_mask[i / 128] != 0) {
            ASSERT_EQ(a.data[i], b.data[i]) << "token " << i / 128;
        }
    }
}

TEST_F(BertGoldenModel, HeadsHaveTheirShapesAndMeanings) {
    EXPECT_EQ(golden::for_question_answering(config_, weights_, inputs_).shape, (Shape{2, 64, 2}));
    EXPECT_EQ(golden::for_masked_lm(config_, weights_, inputs_).shape, (Shape{2, 64, 1000}));
    EXPECT_EQ(golden::for_sequence_classification(config_, weights_, inputs_).shape, (Shape{2, 3}));

    const HostTensor hidden = golden::bert(config_, weights_, inputs_);
    const HostTensor pooled = golden::pooler(config_, *weights_.pooler, hidden);
    ASSERT_EQ(pooled.shape, (Shape{2, 128}));
    double first = weights_.pooler->bias.data[5];
    for (std::size_t i = 0; i < 128; ++i) {
        first +=
            static_cast<double>(weights_.pooler->weight.data[std::size_t{5} * 128 + i]) * hidden.data[64 * 128 + i];
    }
    EXPECT_NEAR(pooled.data[128 + 5], std::tanh(first), 1e-5);
}

TEST_F(BertGoldenModel, SentenceEmbeddingIsTheMeanOverTokensOfUnitLength) {
    const HostTensor hidden = golden::bert(config_, weights_, inputs_);
    const HostTensor embedding = golden::sentence_embedding(config_, weights_, inputs_);
    ASSERT_EQ(embedding.shape, (Shape{2, 128}));
    std::vector<double> sum(128);
    for (std::size_t token = 64; token < 128; ++token) {
        for (std::size_t i = 0; i < 128; ++i) {
            sum[i] += inputs_.attention_mask[token] * hidden.data[token * 128 + i];
        }
    }
    const double length = std::sqrt(std::inner_product(sum.begin(), sum.end(), sum.begin(), 0.0));
    for (std::size_t i = 0; i < 128; ++i) {
        EXPECT_NEAR(embedding.data[128 + i], sum[i] / length, 1e-5);
    }
}

TEST_F(BertGoldenModel, MissingHeadIsNamed) {
    weights_.qa_outputs.reset();
    try {
        (void)golden::for_question_answering(config_, weights_, inputs_);
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_THAT(error.what(), HasSubstr("[bert::for_question_answering] the weights have no qa_outputs head"));
    }
}

// Random weights are only worth measuring on if the deep network still tells tokens apart. Measured: 0.37.
TEST(BertGolden, RandomWeightsDoNotCollapse) {
    Config config = preset("bert-large-squad2");
    config.vocab_size = 2000;
    const Weights weights = random(config, 31, {.pooler = false, .classifier = false, .predictions = false});
    const HostTensor hidden = golden::bert(config, weights, random_inputs(config, 1, 64, 32));
    const auto token = [&](std::size_t i) { return std::span(hidden.data).subspan(i * 1024, 1024); };
    double likeness = 0.0;
    for (std::size_t i = 1; i <= 32; ++i) {
        likeness += compare(token(0), token(i)).pcc / 32.0;
    }
    EXPECT_LT(likeness, 0.6);
}

}  // namespace
}  // namespace zoo::bert
