// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/wordpiece.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "zoo/error.hpp"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using zoo::text::EncodeOptions;
using zoo::text::Encoding;
using zoo::text::Offset;
using zoo::text::slice;
using zoo::text::Source;
using zoo::text::Truncation;
using zoo::text::WordPiece;

const std::vector<std::string> kTokens = {
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]",            // 0 to 4
    "ship",  "##s",   "crème", "creme", "the",    "##ning",  // 5 to 10
    ".",     "kön",   "run",   "京",    "it",     "'",       // 11 to 16
};

WordPiece tiny() { return WordPiece::from_tokens(kTokens); }

template <class Call>
std::string error_of(Call call) {
    try {
        call();
    } catch (const zoo::Error& error) {
        return error.what();
    }
    return "no error";
}

TEST(WordPiece, AddsSpecialTokensOnlyWhereAsked) {
    EXPECT_THAT(tiny().encode("The ships.").ids, ElementsAre(2, 9, 5, 6, 11, 3));
    EXPECT_THAT(tiny().encode("The ships.", {.add_special_tokens = false}).ids, ElementsAre(9, 5, 6, 11));
    EXPECT_THAT(tiny().encode_pair("the", "ship", {.add_special_tokens = false}).ids, ElementsAre(9, 5));
    EXPECT_THAT(tiny().encode("").ids, ElementsAre(2, 3));
    EXPECT_THAT(tiny().encode("", {.add_special_tokens = false}).ids, testing::IsEmpty());
    EXPECT_THAT(tiny().encode_pair("", "").ids, ElementsAre(2, 3, 3));
}

TEST(WordPiece, OffsetsCutTheCallersOwnText) {
    const std::string text = "Die CRE\u0300ME\u200b, 北京 \U0001F642 running";
    const Encoding encoding = tiny().encode(text, {.add_special_tokens = false});
    std::vector<std::string> cuts;
    for (const Offset& offset : encoding.offsets) {
        cuts.emplace_back(slice(text, offset));
    }
    EXPECT_THAT(cuts, ElementsAre("Die", "CRE\u0300ME", ",", "北", "京", "\U0001F642", "run", "ning"));
    EXPECT_THAT(encoding.ids, ElementsAre(1, 8, 1, 1, 14, 1, 13, 10));
}

TEST(WordPiece, TellsTheTextsOfAPairApart) {
    const Encoding encoding = tiny().encode_pair("the ship", "it", {.pad_to = 8});
    EXPECT_THAT(encoding.ids, ElementsAre(2, 9, 5, 3, 15, 3, 0, 0));
    EXPECT_THAT(encoding.token_type_ids, ElementsAre(0, 0, 0, 0, 1, 1, 0, 0));
    EXPECT_THAT(encoding.attention_mask, ElementsAre(1, 1, 1, 1, 1, 1, 0, 0));
    EXPECT_THAT(
        encoding.which_text, ElementsAre(
                                 Source::None, Source::First, Source::First, Source::None, Source::Second, Source::None,
                                 Source::None, Source::None));
    EXPECT_EQ(encoding.offsets[4], (Offset{0, 2}));
    EXPECT_EQ(encoding.offsets[7], (Offset{0, 0}));
    EXPECT_EQ(encoding.offsets.size(), 8u);
    EXPECT_FALSE(encoding.truncated);
}

TEST(WordPiece, TruncatesToMaxLength) {
    const Encoding cut = tiny().encode("the ship the ship", {.max_length = 4});
    EXPECT_THAT(cut.ids, ElementsAre(2, 9, 5, 3));
    EXPECT_TRUE(cut.truncated);
    EXPECT_FALSE(tiny().encode("the ship", {.max_length = 4}).truncated);
    EXPECT_THAT(tiny().encode("the ship", {.max_length = 2}).ids, ElementsAre(2, 3));
}

TEST(WordPiece, TruncatesPairsByEitherRule) {
    const std::string first = "the the the";
    const std::string second = "it it it it it";
    EXPECT_THAT(tiny().encode_pair(first, second, {.max_length = 8}).ids, ElementsAre(2, 9, 9, 3, 15, 15, 15, 3));
    EXPECT_THAT(
        tiny().encode_pair(first, second, {.max_length = 8, .truncation = Truncation::OnlySecond}).ids,
        ElementsAre(2, 9, 9, 9, 3, 15, 15, 3));
    EXPECT_THAT(tiny().encode_pair(second, first, {.max_length = 8}).ids, ElementsAre(2, 15, 15, 15, 3, 9, 9, 3));
}

TEST(WordPiece, WindowsShareDocStrideTokens) {
    const auto windows = tiny().encode_pair_windows("the", "it ship run it ship", 7, 1, 8);
    ASSERT_EQ(windows.size(), 2u);
    EXPECT_THAT(windows[0].ids, ElementsAre(2, 9, 3, 15, 5, 13, 3, 0));
    EXPECT_THAT(windows[1].ids, ElementsAre(2, 9, 3, 13, 15, 5, 3, 0));
    EXPECT_EQ(windows[1].offsets[3], (Offset{8, 11}));
    EXPECT_TRUE(windows[0].truncated);

    const auto whole = tiny().encode_pair_windows("the", "it ship", 7, 1);
    ASSERT_EQ(whole.size(), 1u);
    EXPECT_FALSE(whole[0].truncated);
}

TEST(WordPiece, SpecialTokensInTextAreKeptUnlessToldOtherwise) {
    EXPECT_THAT(tiny().encode("the [MASK]s", {.add_special_tokens = false}).ids, ElementsAre(9, 4, 1));
    const auto literal = WordPiece::from_tokens(kTokens, {.split_special_tokens = true});
    EXPECT_THAT(literal.encode("the [MASK]", {.add_special_tokens = false}).ids, ElementsAre(9, 1, 1, 1));
    const auto kept = WordPiece::from_tokens(kTokens, {.never_split = {"##ning"}});
    EXPECT_THAT(kept.encode("the##ningit", {.add_special_tokens = false}).ids, ElementsAre(9, 10, 15));
}

TEST(WordPiece, InvalidBytesVanishWithoutSplittingAWord) {
    const std::string text =
        "th\xFF"
        "e \xE4\xB8 sh\xC3ip";
    const Encoding encoding = tiny().encode(text, {.add_special_tokens = false});
    EXPECT_THAT(encoding.ids, ElementsAre(9, 5));
    EXPECT_THAT(encoding.offsets, ElementsAre(Offset{0, 4}, Offset{8, 13}));
}

TEST(WordPiece, LongWordsAreUnknown) {
    const auto tokenizer = WordPiece::from_tokens(kTokens, {.max_input_chars_per_word = 5});
    EXPECT_THAT(tokenizer.encode("ships", {.add_special_tokens = false}).ids, ElementsAre(5, 6));
    const Encoding encoding = tokenizer.encode("shipss the", {.add_special_tokens = false});
    EXPECT_THAT(encoding.ids, ElementsAre(1, 9));
    EXPECT_EQ(encoding.offsets[0], (Offset{0, 6}));
    const std::string million(1'000'000, 's');
    EXPECT_THAT(tokenizer.encode(million).offsets, ElementsAre(Offset{0, 0}, Offset{0, 1'000'000}, Offset{0, 0}));
}

TEST(WordPiece, DecodesWordsAndPunctuation) {
    const std::vector<std::int32_t> ids{2, 9, 5, 6, 11, 4, 3};
    EXPECT_EQ(tiny().decode(ids), "the ships.");
    EXPECT_EQ(tiny().decode(ids, false), "[CLS] the ships. [MASK] [SEP]");
    EXPECT_EQ(tiny().decode({}), "");
}

TEST(WordPiece, LooksUpIdsAndTokens) {
    const WordPiece tokenizer = tiny();
    EXPECT_EQ(tokenizer.vocab_size(), kTokens.size());
    for (std::size_t i = 0; i < kTokens.size(); ++i) {
        EXPECT_EQ(tokenizer.id(kTokens[i]), static_cast<std::int32_t>(i));
        EXPECT_EQ(tokenizer.token(static_cast<std::int32_t>(i)), kTokens[i]);
    }
    EXPECT_EQ(tokenizer.find_id("shi"), std::nullopt);
    EXPECT_EQ(tokenizer.find_id(""), std::nullopt);
    EXPECT_EQ(tokenizer.pad_id(), 0);
    EXPECT_EQ(tokenizer.unk_id(), 1);
    EXPECT_EQ(tokenizer.cls_id(), 2);
    EXPECT_EQ(tokenizer.sep_id(), 3);
    EXPECT_EQ(tokenizer.mask_id(), 4);
    EXPECT_TRUE(tokenizer.is_special(4));
    EXPECT_FALSE(tokenizer.is_special(5));
}

TEST(WordPiece, OneTokenizerServesManyThreads) {
    const WordPiece tokenizer = tiny();
    std::vector<std::thread> threads;
    std::vector<int> wrong(4, 0);
    for (int& count : wrong) {
        threads.emplace_back([&count, &tokenizer] {
            for (int i = 0; i < 500; ++i) {
                count += tokenizer.encode("The CRE\u0300ME ships").ids != std::vector<std::int32_t>{2, 9, 8, 5, 6, 3};
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_THAT(wrong, testing::Each(0));
}

TEST(WordPieceRefuses, LengthsThatCannotWork) {
    EXPECT_THAT(
        error_of([] { (void)tiny().encode("the", {.max_length = 1}); }),
        AllOf(HasSubstr("[WordPiece::encode]"), HasSubstr("max_length is 1"), HasSubstr("are 2")));
    EXPECT_THAT(
        error_of([] { (void)tiny().encode_pair("the", "it", {.max_length = 2}); }),
        AllOf(HasSubstr("[WordPiece::encode_pair]"), HasSubstr("max_length is 2"), HasSubstr("are 3")));
    EXPECT_THAT(
        error_of([] { (void)tiny().encode("the the the", {.pad_to = 4}); }),
        AllOf(HasSubstr("5 tokens do not fit pad_to 4"), HasSubstr("set max_length")));
    EXPECT_THAT(
        error_of([] {
            (void)tiny().encode_pair("the the the", "it it", {.max_length = 6, .truncation = Truncation::OnlySecond});
        }),
        AllOf(HasSubstr("first text has 3 tokens"), HasSubstr("max_length 6"), HasSubstr("LongestFirst")));
}

TEST(WordPieceRefuses, WindowsThatCannotAdvance) {
    EXPECT_THAT(
        error_of([] { (void)tiny().encode_pair_windows("the", "it", 5, 2); }),
        AllOf(HasSubstr("[WordPiece::encode_pair_windows]"), HasSubstr("doc_stride is 2"), HasSubstr("max_length 5")));
    EXPECT_THAT(
        error_of([] { (void)tiny().encode_pair_windows("the the", "it it it it", 7, 2); }),
        AllOf(HasSubstr("a window of 7 tokens less 2"), HasSubstr("more than doc_stride 2")));
}

TEST(WordPieceRefuses, IdsOutsideTheVocabulary) {
    EXPECT_THAT(
        error_of([] {
            (void)tiny().decode(std::vector<std::int32_t>{5, 17});
        }),
        AllOf(HasSubstr("id 17 is outside"), HasSubstr("0 to 16")));
    EXPECT_THAT(error_of([] { (void)tiny().token(-1); }), HasSubstr("id -1 is outside"));
    EXPECT_THAT(error_of([] { (void)tiny().id("boat"); }), HasSubstr("no 'boat'"));
}

TEST(WordPieceRefuses, SpecialTokensThatTheVocabularyLacks) {
    const auto bare = WordPiece::from_tokens({"[UNK]", "the"});
    EXPECT_THAT(bare.encode("the", {.add_special_tokens = false}).ids, ElementsAre(1));
    EXPECT_THAT(error_of([&] { (void)bare.encode("the"); }), HasSubstr("no '[CLS]'"));
    EXPECT_THAT(
        error_of([&] { (void)bare.encode("the", {.add_special_tokens = false, .pad_to = 4}); }),
        HasSubstr("no '[PAD]'"));
    EXPECT_THAT(error_of([&] { (void)bare.mask_id(); }), HasSubstr("no '[MASK]'"));
    EXPECT_THAT(
        error_of([] { (void)WordPiece::from_tokens({"[UNK]"}, {.never_split = {"<x>"}}); }), HasSubstr("no '<x>'"));
}

}  // namespace
