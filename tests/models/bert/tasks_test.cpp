// SPDX-License-Identifier: Apache-2.0
#include "models/bert/tasks.hpp"

#include <gtest/gtest.h>

#include "support/throws.hpp"

namespace {

using namespace zoo;

text::WordPiece small() {
    return text::WordPiece::from_tokens(
        {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "who", "came", "?", "an", "old", "friend", "late"});
}

TEST(BertTasks, AnAnswerIsASpanOfTheUsersOwnText) {
    const std::string question = "Who came?";
    const std::string context = "An  OLD friénd came late";
    const auto encoding = small().encode_pair(question, context, {.pad_to = 16});
    // [CLS] who came ? [SEP] an old friend came late [SEP]
    std::vector<float> logits(2 * encoding.size(), -5.0F);
    logits[2 * 6] = 4.0F;      // starts at "old"
    logits[2 * 7 + 1] = 3.0F;  // ends at "friend"
    logits[2 * 1] = 9.0F;      // a start in the question does not count
    logits[0] = 1.0F;
    logits[1] = 0.5F;
    const bert::Answer answer = bert::best_answer(logits, encoding);
    EXPECT_EQ(text::slice(context, answer.span), "OLD friénd");
    EXPECT_DOUBLE_EQ(answer.score, 7.0);
    EXPECT_DOUBLE_EQ(answer.margin, 5.5);
}

TEST(BertTasks, AnAnswerIsNotLongerThanAsked) {
    const std::string context = "an old friend came late";
    const auto encoding = small().encode_pair("who", context);
    std::vector<float> logits(2 * encoding.size(), 0.0F);
    logits[2 * 3] = 5.0F;      // "an"
    logits[2 * 7 + 1] = 5.0F;  // "late"
    EXPECT_EQ(text::slice(context, bert::best_answer(logits, encoding, 5).span), context);
    EXPECT_NE(text::slice(context, bert::best_answer(logits, encoding, 4).span), context);
    EXPECT_THROWS_WITH((void)bert::best_answer(std::vector<float>(4), encoding), "4 logits for 9 tokens");
}

TEST(BertTasks, WordsComeByProbability) {
    const auto words = bert::likeliest_words(std::vector<float>{0.0F, 2.0F, 1.0F, 2.0F}, 3);
    ASSERT_EQ(words.size(), 3U);
    EXPECT_EQ(words[0].id, 1);
    EXPECT_EQ(words[1].id, 3);
    EXPECT_EQ(words[2].id, 2);
    EXPECT_NEAR(words[0].probability, 0.3995, 1e-3);
    EXPECT_EQ(bert::likeliest_words(std::vector<float>{1.0F}, 5).size(), 1U);
}

TEST(BertTasks, RanksByCosine) {
    const std::vector<text::Offset> sentences{{0, 1}, {2, 3}, {4, 5}};
    const std::vector<float> embeddings{1, 0, /**/ 0, 2, /**/ 3, 3, /**/ 5, 0};
    const auto ranked = bert::rank(embeddings, 2, sentences);
    EXPECT_EQ(ranked[0].span, sentences[2]);
    EXPECT_NEAR(ranked[0].score, 1.0, 1e-9);
    EXPECT_NEAR(ranked[1].score, 0.70710678, 1e-6);
    EXPECT_EQ(ranked[2].span, sentences[0]);
    EXPECT_THROWS_WITH(
        (void)bert::rank(embeddings, 3, sentences), "8 values for a question and 3 sentences of width 3");
    EXPECT_EQ(bert::cosine(std::vector<float>{0, 0}, std::vector<float>{1, 0}), 0);
}

TEST(BertTasks, ABatchHasOneLength) {
    const auto words = small();
    const std::vector<text::Encoding> good{
        words.encode("who", {.pad_to = 8}), words.encode("old friend", {.pad_to = 8})};
    const bert::Inputs inputs = bert::to_inputs(good);
    EXPECT_EQ(inputs.batch, 2);
    EXPECT_EQ(inputs.sequence, 8);
    EXPECT_EQ(inputs.input_ids.size(), 16U);
    EXPECT_EQ(inputs.attention_mask[3], 0U);
    const std::vector<text::Encoding> bad{words.encode("who"), words.encode("old friend")};
    EXPECT_THROWS_WITH((void)bert::to_inputs(bad), "encodings of 3 and of 4 tokens");
    EXPECT_THROWS_WITH((void)bert::to_inputs({}), "there are no encodings");
    EXPECT_EQ(bert::padded_length(33), 64U);
}

}  // namespace
