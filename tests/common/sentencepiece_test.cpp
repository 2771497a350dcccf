// SPDX-License-Identifier: Apache-2.0
// ALBERT's tokenizer against Hugging Face's, id for id. scripts/make_sentencepiece_fixtures.py wrote the data.
#include "zoo/text/sentencepiece.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/real_weights.hpp"
#include "support/throws.hpp"

namespace {

using nlohmann::json;
using zoo::text::EncodeOptions;
using zoo::text::Encoding;
using zoo::text::SentencePiece;
using zoo::text::SentencePieceOptions;
using zoo::text::Truncation;
using Ids = std::vector<std::int32_t>;

json load() {
    std::ifstream file(ZOO_TEST_DATA_DIR "/text/sentencepiece_cases.json");
    return json::parse(file);
}

#define REQUIRE_MODEL(name)                                \
    ZOO_REQUIRE_WEIGHTS(directory_##name, "albert-vocab"); \
    const auto name = SentencePiece::from_model_file(*directory_##name / "spiece.model")

TEST(SentencePieceFixtures, TextsGiveTheIdsOfHuggingFace) {
    ZOO_REQUIRE_WEIGHTS(directory, "albert-vocab");
    std::size_t count = 0;
    const json data = load();
    for (const json& group : data["groups"]) {
        SentencePieceOptions options;
        options.do_lower_case = group["options"].value("do_lower_case", true);
        options.keep_accents = group["options"].value("keep_accents", false);
        const auto tokenizer = SentencePiece::from_model_file(*directory / "spiece.model", options);
        for (const json& entry : group["cases"]) {
            const std::string text = entry["text"];
            const Encoding encoding = tokenizer.encode(text, {.add_special_tokens = false});
            EXPECT_EQ(encoding.ids, entry["ids"].get<Ids>()) << group["options"] << " " << entry["text"];
            for (const zoo::text::Offset& offset : encoding.offsets) {
                ASSERT_LE(offset.begin, offset.end) << entry["text"];
                ASSERT_LE(offset.end, text.size()) << entry["text"];
            }
            ++count;
        }
    }
    EXPECT_GT(count, 1000U);
}

TEST(SentencePieceFixtures, PairsAreBuiltCutAndPaddedAlike) {
    REQUIRE_MODEL(tokenizer);
    const json data = load();
    for (const json& entry : data["pairs"]) {
        EncodeOptions options;
        if (!entry["max_length"].is_null()) {
            options.max_length = entry["max_length"].get<std::size_t>();
            options.pad_to = entry["pad_to"].get<std::size_t>();
        }
        const Encoding encoding =
            tokenizer.encode_pair(entry["first"].get<std::string>(), entry["second"].get<std::string>(), options);
        EXPECT_EQ(encoding.ids, entry["ids"].get<Ids>()) << entry;
        EXPECT_EQ(encoding.token_type_ids, entry["token_type_ids"].get<Ids>()) << entry;
        EXPECT_EQ(encoding.attention_mask, entry["attention_mask"].get<Ids>()) << entry;
    }
}

// The three sentences of the transformers test suite for albert-base-v2.
TEST(SentencePieceFixtures, PublishedIds) {
    REQUIRE_MODEL(tokenizer);
    const json published = load()["published"];
    ASSERT_EQ(published.size(), 3U);
    for (const json& entry : published) {
        EXPECT_EQ(tokenizer.encode(entry["text"].get<std::string>()).ids, entry["ids"].get<Ids>());
    }
    EXPECT_EQ(tokenizer.encode("this is a test", {.add_special_tokens = false}).ids, (Ids{48, 25, 21, 1289}));
}

TEST(SentencePieceFixtures, DecodesToTheSameText) {
    REQUIRE_MODEL(tokenizer);
    const json data = load();
    for (const json& entry : data["decoded"]) {
        EXPECT_EQ(tokenizer.decode(entry["ids"].get<Ids>()), entry["text"].get<std::string>());
    }
    EXPECT_EQ(tokenizer.decode(Ids{2, 48, 25, 4, 3}, false), "[CLS] this is [MASK] [SEP]");
}

TEST(SentencePiece, OffsetsAreBytesOfTheCallersText) {
    REQUIRE_MODEL(tokenizer);
    const std::string text = "  A CAFÉ\tin 1,999, ``now'' [MASK]";
    const Encoding encoding = tokenizer.encode(text, {.add_special_tokens = false});
    const auto piece = [&](std::size_t i) { return std::string(zoo::text::slice(text, encoding.offsets[i])); };
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < encoding.size(); ++i) {
        pieces.push_back(piece(i));
    }
    EXPECT_EQ(
        pieces, (std::vector<std::string>{"A", "CAFÉ", "in", "1", ",", "999", ",", "", "``", "now", "''", "[MASK]"}))
        << "a quote after a space is two pieces, of which the first is the space alone";
}

TEST(SentencePiece, HeadAndTailKeepsBothEnds) {
    REQUIRE_MODEL(tokenizer);
    const Ids all = tokenizer.encode("one two three four five six seven", {.add_special_tokens = false}).ids;
    ASSERT_EQ(all.size(), 7U);
    const Encoding cut =
        tokenizer.encode("one two three four five six seven", {.max_length = 7, .truncation = Truncation::HeadAndTail});
    EXPECT_EQ(cut.ids, (Ids{2, all[0], all[1], all[4], all[5], all[6], 3}));
    EXPECT_TRUE(cut.truncated);
}

TEST(SentencePiece, SpecialTokensInTextAreTextWhenAsked) {
    ZOO_REQUIRE_WEIGHTS(directory, "albert-vocab");
    const auto safe = SentencePiece::from_model_file(*directory / "spiece.model", {.split_special_tokens = true});
    const Ids ids = safe.encode("[MASK]", {.add_special_tokens = false}).ids;
    EXPECT_EQ(std::count(ids.begin(), ids.end(), safe.mask_id()), 0);
    EXPECT_EQ(safe.mask_id(), 4);
    EXPECT_EQ(safe.vocab_size(), 30000U);
    EXPECT_THROWS_WITH((void)safe.token(30000), "id 30000 is outside the vocabulary; ids are 0 to 29999");
    EXPECT_THROWS_WITH((void)safe.id("no such piece"), "the vocabulary of 30000 tokens has no 'no such piece'");
}

TEST(SentencePiece, RefusesWhatIsNoModel) {
    EXPECT_THROWS_WITH((void)SentencePiece::from_model_file("/nowhere/spiece.model"), "cannot be read");
    const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "not_a.model";
    for (const char* content : {"", "this is no protocol buffer", "\x0a\xff\xff\xff\xff"}) {
        std::ofstream(file, std::ios::binary) << content;
        EXPECT_THROWS_WITH((void)SentencePiece::from_model_file(file), "is no SentencePiece model");
    }
    std::filesystem::remove(file);
}

}  // namespace
