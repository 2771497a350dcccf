// SPDX-License-Identifier: Apache-2.0
// The golden on trained weights against published and independently computed numbers: it is the judge of all else.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "models/bert/torch_bert.hpp"
#include "support/real_weights.hpp"

namespace zoo::bert {
namespace {

Inputs sentence(const std::vector<std::uint32_t>& ids) {
    const auto length = static_cast<std::int64_t>(ids.size());
    return {
        .batch = 1,
        .sequence = length,
        .input_ids = ids,
        .token_type_ids = std::vector<std::uint32_t>(ids.size(), 0),
        .attention_mask = std::vector<std::uint32_t>(ids.size(), 1)};
}

// [CLS] and [SEP] are 101 and 102, [MASK] is 103.
TEST(BertRealGolden, MiniLmSimilarities) {
    ZOO_REQUIRE_WEIGHTS(directory, "minilm-l6");
    const Config config = from_json(*directory / "config.json");
    EXPECT_EQ(config, preset("minilm-l6"));
    const Weights weights = load(*open_checkpoint(*directory), config);
    const auto embed = [&](const std::vector<std::uint32_t>& ids) {
        return golden::sentence_embedding(config, weights, sentence(ids)).data;
    };
    // "That is a happy person" against "... dog", "That is a very happy person" and "Today is a sunny day".
    const auto person = embed({101, 2008, 2003, 1037, 3407, 2711, 102});
    const auto similarity = [&](const std::vector<std::uint32_t>& ids) {
        const auto other = embed(ids);
        return std::inner_product(person.begin(), person.end(), other.begin(), 0.0);
    };
    EXPECT_NEAR(similarity({101, 2008, 2003, 1037, 3407, 3899, 102}), 0.6946, 1e-4);
    EXPECT_NEAR(similarity({101, 2008, 2003, 1037, 2200, 3407, 2711, 102}), 0.9429, 1e-4);
    EXPECT_NEAR(similarity({101, 2651, 2003, 1037, 11559, 2154, 102}), 0.2569, 1e-4);
}

class BertBaseGolden : public ::testing::Test {
protected:
    Config config_ = preset("bert-base");
};

// The values that the transformers test suite asserts for bert-base-uncased.
TEST_F(BertBaseGolden, HiddenStates) {
    ZOO_REQUIRE_WEIGHTS(directory, "bert-base");
    const Weights weights = load(*open_checkpoint(*directory), config_);
    Inputs inputs = sentence({0, 345, 232, 328, 740, 140, 1695, 69, 6078, 1588, 2});
    inputs.attention_mask[0] = 0;
    const HostTensor hidden = golden::bert(config_, weights, inputs);
    constexpr std::array<std::array<float, 3>, 3> kExpected{
        {{0.4249F, 0.1008F, 0.7531F}, {0.3771F, 0.1188F, 0.7467F}, {0.4152F, 0.1098F, 0.7108F}}};
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            EXPECT_NEAR(hidden.data[(row + 1) * 768 + column + 1], kExpected[row][column], 1e-4F);
        }
    }
}

TEST_F(BertBaseGolden, FillsTheMask) {
    ZOO_REQUIRE_WEIGHTS(directory, "bert-base");
    const Weights weights = load(*open_checkpoint(*directory), config_);
    // "The capital of France is [MASK]."
    const HostTensor logits =
        golden::for_masked_lm(config_, weights, sentence({101, 1996, 3007, 1997, 2605, 2003, 103, 1012, 102}));
    const auto first = logits.data.begin() + 6 * config_.vocab_size;
    const auto last = first + config_.vocab_size;
    const auto best = std::max_element(first, last);
    EXPECT_EQ(best - first, 3000) << "not 'paris'";
    const double total =
        std::accumulate(first, last, 0.0, [&](double sum, float logit) { return sum + std::exp(logit - *best); });
    EXPECT_NEAR(1.0 / total, 0.4168, 1e-3);
}

}  // namespace
}  // namespace zoo::bert
