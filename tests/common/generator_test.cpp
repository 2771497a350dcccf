// SPDX-License-Identifier: Apache-2.0
// Choosing tokens, checked against cases computed by hand, and texts that grow from them.
#include "zoo/generator.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "support/throws.hpp"

namespace {

using zoo::Generation;
using zoo::Generator;
using zoo::next_token_probabilities;
using zoo::NextToken;
using zoo::Random;
using zoo::SamplingOptions;
using zoo::StopReason;
using zoo::text::BytePair;

// log of 0.1, 0.2, 0.3, 0.4.
const std::vector<float> kLogits{std::log(0.1F), std::log(0.2F), std::log(0.3F), std::log(0.4F)};

void expect_near(const std::vector<float>& expected, const std::vector<float>& actual) {
    ASSERT_EQ(expected.size(), actual.size());
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(expected[i], actual[i], 1e-6F) << "token " << i;
    }
}

TEST(Sampling, ByHand) {
    expect_near({0.1F, 0.2F, 0.3F, 0.4F}, next_token_probabilities(kLogits, {}, {.temperature = 1.0F}));
    // Half the temperature squares: 1, 4, 9, 16 of 30.
    expect_near(
        {1 / 30.0F, 4 / 30.0F, 9 / 30.0F, 16 / 30.0F}, next_token_probabilities(kLogits, {}, {.temperature = 0.5F}));
    expect_near({0, 0, 3 / 7.0F, 4 / 7.0F}, next_token_probabilities(kLogits, {}, {.temperature = 1.0F, .top_k = 2}));
    // 0.4 and 0.3 reach 0.6 together; the token that crosses the line stays.
    expect_near(
        {0, 0, 3 / 7.0F, 4 / 7.0F}, next_token_probabilities(kLogits, {}, {.temperature = 1.0F, .top_p = 0.6F}));
    expect_near({0, 0, 0, 1}, next_token_probabilities(kLogits, {}, {.temperature = 1.0F, .top_p = 0.01F}));
    // top_k comes first: of 3/7 and 4/7 the larger alone reaches 0.5.
    expect_near({0, 0, 0, 1}, next_token_probabilities(kLogits, {}, {.temperature = 1.0F, .top_k = 2, .top_p = 0.5F}));
    expect_near({0, 0, 0, 1}, next_token_probabilities(kLogits, {}, {}));
}

TEST(Sampling, RepetitionPenaltyByHand) {
    // Above 0 divided, below multiplied, once however often the token came: 2/2, -1*2, 3, 1.
    const std::vector<float> logits{2, -1, 3, 1};
    const std::vector<std::int32_t> history{0, 1, 0};
    const double sum = std::exp(1.0) + std::exp(-2.0) + std::exp(3.0) + std::exp(1.0);
    const auto share = [&](double logit) { return static_cast<float>(std::exp(logit) / sum); };
    expect_near(
        {share(1), share(-2), share(3), share(1)},
        next_token_probabilities(logits, history, {.temperature = 1.0F, .repetition_penalty = 2.0F}));
    const std::vector<std::int32_t> best{2};
    expect_near({1, 0, 0, 0}, next_token_probabilities(logits, best, {.repetition_penalty = 2.0F}));
}

TEST(Sampling, DrawsFollowTheProbabilities) {
    Random random(1);
    std::map<std::int32_t, int> counts;
    for (int i = 0; i < 10000; ++i) {
        ++counts[zoo::sample(kLogits, {}, {.temperature = 1.0F}, random)];
    }
    for (const auto& [token, share] : {std::pair{0, 0.1}, {1, 0.2}, {2, 0.3}, {3, 0.4}}) {
        EXPECT_NEAR(counts[token] / 10000.0, share, 0.02);
    }
}

TEST(Sampling, Refusals) {
    EXPECT_THROWS_WITH(zoo::validate(SamplingOptions{.temperature = -1}), "temperature is -1");
    EXPECT_THROWS_WITH(zoo::validate(SamplingOptions{.temperature = 1e-38F}), "it must be 0, or finite and at least");
    EXPECT_THROWS_WITH(zoo::validate(SamplingOptions{.top_k = -2}), "top_k is -2");
    EXPECT_THROWS_WITH(zoo::validate(SamplingOptions{.top_p = 0}), "top_p is 0");
    EXPECT_THROWS_WITH(zoo::validate(SamplingOptions{.top_p = 1.5F}), "top_p is 1.5");
    EXPECT_THROWS_WITH(zoo::validate(SamplingOptions{.repetition_penalty = 0}), "repetition_penalty is 0");
}

// Says a text, a byte a token, whatever the prompt; each user's own.
class Parrot : public zoo::CausalLm {
public:
    Parrot(const BytePair& tokenizer, std::vector<std::string> texts, std::int64_t context = 64)
        : tokenizer_(tokenizer), context_(context) {
        for (const std::string& text : texts) {
            std::vector<std::int32_t> tokens;
            for (const char byte : text) {
                for (std::int32_t id = 0; id < 256; ++id) {
                    if (tokenizer.bytes(id) == std::string(1, byte)) {
                        tokens.push_back(id);
                    }
                }
            }
            tokens.push_back(*tokenizer.end_of_text());
            texts_.push_back(std::move(tokens));
        }
        said_.resize(texts_.size());
    }
    [[nodiscard]] std::int64_t batch() const override { return std::ssize(texts_); }
    [[nodiscard]] std::int64_t context() const override { return context_; }
    [[nodiscard]] std::int64_t vocab_size() const override { return 2048; }
    NextToken prefill(std::int64_t user, std::span<const std::int32_t>, bool logits) override {
        said_[static_cast<std::size_t>(user)] = 0;
        return say(static_cast<std::size_t>(user), logits);
    }
    std::vector<NextToken> decode(
        std::span<const std::int32_t>, std::span<const std::int32_t> positions, bool logits) override {
        std::vector<NextToken> result(texts_.size());
        for (std::size_t i = 0; i < texts_.size(); ++i) {
            if (positions[i] >= 0) {
                EXPECT_LT(positions[i], context_);
                result[i] = say(i, logits);
            }
        }
        return result;
    }

private:
    NextToken say(std::size_t user, bool logits) {
        NextToken next{.best = texts_[user][said_[user]++]};
        if (logits) {
            next.logits.assign(2048, 0.0F);
            next.logits[static_cast<std::size_t>(next.best)] = 5.0F;
        }
        return next;
    }
    BytePair tokenizer_;
    std::int64_t context_;
    std::vector<std::vector<std::int32_t>> texts_;
    std::vector<std::size_t> said_;
};

BytePair tokenizer() { return BytePair::from_directory(ZOO_TEST_DATA_DIR "/../../models/gpt2/scripture"); }

TEST(Generator, StreamsWholeCharactersUpToTheEnd) {
    const BytePair words = tokenizer();
    Parrot parrot(words, {"caf\xC3\xA9."});
    Generator generator(parrot, words);
    std::vector<std::string> pieces;
    const Generation result = generator.generate("x", {}, [&](std::string_view piece) {
        pieces.emplace_back(piece);
        return true;
    });
    EXPECT_EQ(pieces, (std::vector<std::string>{"c", "a", "f", "\xC3\xA9", "."}));
    EXPECT_EQ(result.text, "caf\xC3\xA9.");
    EXPECT_EQ(result.reason, StopReason::EndOfText);
    EXPECT_EQ(result.tokens.size(), 6U);
}

TEST(Generator, StopStringsAreNotShown) {
    const BytePair words = tokenizer();
    Parrot parrot(words, {"one, two; three"});
    Generator generator(parrot, words);
    std::string shown;
    const auto show = [&](std::string_view piece) {
        shown += piece;
        return true;
    };
    // ", tx" begins like the text and is no part of it; "; " ends it.
    const Generation result = generator.generate("x", {.stop = {", tx", "; "}}, show);
    EXPECT_EQ(result.text, "one, two");
    EXPECT_EQ(shown, "one, two");
    EXPECT_EQ(result.reason, StopReason::StopString);
    // What was held back in vain comes out at the end.
    EXPECT_EQ(generator.generate("x", {.stop = {"threes"}}).text, "one, two; three");
}

TEST(Generator, StopsWhereItIsTold) {
    const BytePair words = tokenizer();
    Parrot parrot(words, {"abcdefghij"}, 4);
    Generator generator(parrot, words);
    EXPECT_EQ(generator.generate("x", {.max_new_tokens = 2}).text, "ab");
    EXPECT_EQ(generator.generate("x", {.max_new_tokens = 2}).reason, StopReason::Length);
    // One token of prompt and four new ones: the last needs no position of its own.
    EXPECT_EQ(generator.generate("x", {.max_new_tokens = 50}).text, "abcd");
    EXPECT_EQ(generator.generate("x", {.max_new_tokens = 50}).reason, StopReason::Context);
    int calls = 0;
    const Generation stopped = generator.generate("x", {}, [&](std::string_view) { return ++calls < 2; });
    EXPECT_EQ(stopped.text, "ab");
    EXPECT_EQ(stopped.reason, StopReason::Callback);
    EXPECT_THROWS_WITH((void)generator.generate("", {}), "prompt 0 is empty");
    EXPECT_THROWS_WITH((void)generator.generate("x y z and more", {}), "the context has room for 4");
    EXPECT_THROWS_WITH((void)generator.generate("x", {.max_new_tokens = 0}), "max_new_tokens is 0");
    EXPECT_THROWS_WITH((void)generator.generate("x", {.stop = {""}}), "a stop string is empty");
}

TEST(Generator, SeveralTextsAtATime) {
    const BytePair words = tokenizer();
    Parrot parrot(words, {"short", "a longer text", "x"});
    Generator generator(parrot, words);
    const std::vector<std::string> prompts{"a", "b", "c"};
    const std::vector<Generation> results = generator.generate(prompts);
    ASSERT_EQ(results.size(), 3U);
    EXPECT_EQ(results[0].text, "short");
    EXPECT_EQ(results[1].text, "a longer text");
    EXPECT_EQ(results[2].text, "x");
    EXPECT_THROWS_WITH(
        (void)generator.generate(std::vector<std::string>(4, "a")), "4 prompts were given; the model takes 1 to 3");
}

TEST(Generator, TheSameSeedGivesTheSameText) {
    const BytePair words = tokenizer();
    Parrot parrot(words, {std::string(40, 'a')});
    Generator generator(parrot, words);
    const auto text = [&](std::uint64_t seed) {
        return generator
            .generate("x", {.max_new_tokens = 20, .sampling = {.temperature = 2.0F, .top_k = 300}, .seed = seed})
            .tokens;
    };
    EXPECT_EQ(text(3), text(3));
    EXPECT_NE(text(3), text(4));
}

}  // namespace
