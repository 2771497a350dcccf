// SPDX-License-Identifier: Apache-2.0
// The golden against Hugging Face's own classes (scripts/make_albert_fixture.py), and what it must keep to.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "models/albert/torch_albert.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "support/throws.hpp"

namespace zoo::albert {
namespace {

using test::threshold;
using Ids = std::vector<std::uint32_t>;

class AlbertGoldenUpstream : public ::testing::Test {
protected:
    HostTensor expected(const char* name) const { return expected_->load(name); }
    Ids ids(const char* name) const {
        const HostTensor values = expected(name);
        return Ids(values.data.begin(), values.data.end());
    }

    std::filesystem::path directory_ = ZOO_TEST_DATA_DIR "/albert";
    Config config_ = from_json(directory_ / "config.json");
    Weights weights_ = load(*open_checkpoint(directory_), config_);
    std::unique_ptr<Checkpoint> expected_ = open_checkpoint(directory_ / "expected.safetensors");
    Inputs inputs_{
        .batch = 2,
        .sequence = 20,
        .input_ids = ids("input_ids"),
        .token_type_ids = ids("token_type_ids"),
        .attention_mask = ids("attention_mask")};
    test::Bound bound_ = threshold("albert", "albert", "golden");
};

TEST_F(AlbertGoldenUpstream, HiddenStateAndPooler) {
    ASSERT_EQ(weights_.groups.size(), 2U);
    ASSERT_EQ(weights_.groups[0].size(), 1U);
    const HostTensor hidden = golden::albert(config_, weights_, inputs_);
    EXPECT_WITHIN(expected("last_hidden_state"), hidden, bound_);
    EXPECT_WITHIN(expected("pooler_output"), golden::pooler(config_, *weights_.pooler, hidden), bound_);

    Weights swapped = weights_;
    std::swap(swapped.groups[0], swapped.groups[1]);
    EXPECT_OUTSIDE(expected("last_hidden_state"), golden::albert(config_, swapped, inputs_), bound_);
    Config exact = config_;
    exact.hidden_act = "gelu";
    EXPECT_OUTSIDE(expected("last_hidden_state"), golden::albert(exact, weights_, inputs_), bound_)
        << "the two kinds of GELU cannot be told apart";
}

TEST_F(AlbertGoldenUpstream, Heads) {
    EXPECT_WITHIN(expected("masked_lm"), golden::for_masked_lm(config_, weights_, inputs_), bound_);
    EXPECT_WITHIN(expected("answers"), golden::for_question_answering(config_, weights_, inputs_), bound_);
    EXPECT_WITHIN(expected("classes"), golden::for_sequence_classification(config_, weights_, inputs_), bound_);
}

TEST(AlbertGolden, TheLayerRunsOverItsOwnResult) {
    const Config config = preset("albert-tiny");
    const Weights weights = random(config, 21);
    const Inputs inputs = random_inputs(config, 2, 64, 22);
    const HostTensor mask = additive_mask(inputs);
    const HostTensor embedded = golden::embeddings(config, weights.embeddings, inputs);
    ASSERT_EQ(embedded.shape, (Shape{2, 64, 64}));
    HostTensor hidden = golden::embedding_hidden_mapping(config, weights.embedding_hidden_mapping, embedded);
    ASSERT_EQ(hidden.shape, (Shape{2, 64, 128}));
    for (int layer = 0; layer < 3; ++layer) {
        hidden = golden::encoder_layer(config, weights.groups[0][0], hidden, mask);
    }
    EXPECT_EQ(hidden.data, golden::albert(config, weights, inputs).data);
}

TEST(AlbertGolden, MissingHeadIsNamed) {
    const Config config = preset("albert-tiny");
    const Weights bare =
        random(config, 23, {.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false});
    const Inputs inputs = random_inputs(config, 1, 32, 24);
    EXPECT_THROWS_WITH(
        (void)golden::for_masked_lm(config, bare, inputs),
        "[albert::for_masked_lm] the weights have no predictions head");
}

// Random weights are only worth measuring on if the network still tells tokens apart after a dozen turns of one layer.
TEST(AlbertGolden, RandomWeightsDoNotCollapse) {
    for (const char* name : {"albert-base-v2", "albert-large-v2"}) {
        Config config = preset(name);
        config.vocab_size = 2000;
        const Weights weights =
            random(config, 31, {.pooler = false, .qa_outputs = false, .classifier = false, .predictions = false});
        const HostTensor hidden = golden::albert(config, weights, random_inputs(config, 1, 64, 32));
        const auto width = static_cast<std::size_t>(config.hidden_size);
        const auto token = [&](std::size_t i) { return std::span(hidden.data).subspan(i * width, width); };
        double likeness = 0.0;
        for (std::size_t i = 1; i <= 32; ++i) {
            likeness += compare(token(0), token(i)).pcc / 32.0;
        }
        RecordProperty(name, std::to_string(likeness));
        EXPECT_LT(likeness, 0.6) << name;
    }
}

}  // namespace
}  // namespace zoo::albert
