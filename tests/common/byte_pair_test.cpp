// SPDX-License-Identifier: Apache-2.0
// Byte-level byte pairs against Hugging Face's tokenizers, and what a stream shows.
#include "zoo/text/byte_pair.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "scratch.hpp"
#include "support/real_weights.hpp"
#include "support/throws.hpp"

namespace {

using zoo::text::BytePair;
using zoo::text::BytePairOptions;
using zoo::text::codegen_added_tokens;
using zoo::text::StreamDecoder;

const nlohmann::json& fixtures() {
    static const nlohmann::json kFixtures = [] {
        std::ifstream file(ZOO_TEST_DATA_DIR "/text/byte_pair_cases.json");
        return nlohmann::json::parse(file);
    }();
    return kFixtures;
}

BytePair scripture(const BytePairOptions& options = {}) {
    return BytePair::from_directory(ZOO_TEST_DATA_DIR "/../../models/gpt2/scripture", options);
}

void expect_fixtures(const BytePair& tokenizer, const std::string& name) {
    ASSERT_GT(fixtures()["cases"].size(), 200U);
    for (const auto& test : fixtures()["cases"]) {
        const auto text = test["text"].get<std::string>();
        const auto expected = test[name].get<std::vector<std::int32_t>>();
        EXPECT_EQ(tokenizer.encode(text), expected) << test["text"];
        EXPECT_EQ(tokenizer.decode(expected), text) << test["text"];
        StreamDecoder stream(tokenizer);
        std::string joined;
        for (const std::int32_t id : expected) {
            const std::string piece = stream.next(id);
            EXPECT_EQ(nlohmann::json(piece).dump().empty(), false);  // throws for a broken character
            joined += piece;
        }
        EXPECT_EQ(joined + stream.finish(), text) << test["text"];
    }
}

TEST(BytePair, OurVocabularyAgreesWithHuggingFace) { expect_fixtures(scripture(), "scripture"); }

TEST(BytePair, Gpt2AgreesWithHuggingFace) {
    ZOO_REQUIRE_WEIGHTS(files, "gpt2-vocab");
    expect_fixtures(BytePair::from_directory(*files), "gpt2");
    const BytePair tokenizer = BytePair::from_directory(*files);
    EXPECT_EQ(tokenizer.vocab_size(), 50257U);
    EXPECT_EQ(tokenizer.end_of_text(), 50256);
    EXPECT_EQ(tokenizer.encode("The dog"), (std::vector<std::int32_t>{464, 3290}));
}

TEST(BytePair, CodeGenAgreesWithHuggingFace) {
    ZOO_REQUIRE_WEIGHTS(files, "gpt2-vocab");
    const BytePair tokenizer = BytePair::from_directory(*files, {.added_tokens = codegen_added_tokens()});
    expect_fixtures(tokenizer, "codegen");
    EXPECT_EQ(tokenizer.vocab_size(), 50295U);
    EXPECT_EQ(tokenizer.encode(std::string(31, ' ')), (std::vector<std::int32_t>{50257}));
    EXPECT_EQ(tokenizer.encode("  "), (std::vector<std::int32_t>{50286}));
    EXPECT_EQ(tokenizer.encode("\t\t"), (std::vector<std::int32_t>{50294}));
}

TEST(BytePair, BytesThatAreNoTextBecomeReplacementCharacters) {
    const BytePair tokenizer = scripture();
    for (const auto& test : fixtures()["bytes"]) {
        const auto hex = test["hex"].get<std::string>();
        std::string bytes;
        for (std::size_t i = 0; i < hex.size(); i += 2) {
            bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
        }
        const auto text = test["text"].get<std::string>();
        EXPECT_EQ(tokenizer.encode(bytes), tokenizer.encode(text)) << hex;
        EXPECT_EQ(tokenizer.decode(tokenizer.encode(bytes)), text) << hex;
    }
}

TEST(BytePair, AStreamHoldsBackHalfACharacter) {
    const BytePair tokenizer = scripture();
    const std::vector<std::int32_t> ids = tokenizer.encode("\xF0\x9F\x91\x8D!");  // a thumb, four bytes, one token each
    ASSERT_EQ(ids.size(), 5U);
    StreamDecoder stream(tokenizer);
    EXPECT_EQ(stream.next(ids[0]), "");
    EXPECT_EQ(stream.next(ids[1]), "");
    EXPECT_EQ(stream.next(ids[2]), "");
    EXPECT_EQ(stream.next(ids[3]), "\xF0\x9F\x91\x8D");
    EXPECT_EQ(stream.next(ids[0]), "");
    EXPECT_EQ(stream.next(ids[4]), "\xEF\xBF\xBD!");  // it will never be finished
    EXPECT_EQ(stream.next(ids[0]), "");
    EXPECT_EQ(stream.finish(), "\xEF\xBF\xBD");
    EXPECT_EQ(stream.finish(), "");
}

TEST(BytePair, SpecialTokensMayBeText) {
    const BytePair safe = scripture({.split_special_tokens = true});
    const std::string text = "a<|endoftext|>b";
    EXPECT_EQ(scripture().encode(text).size(), 3U);
    EXPECT_GT(safe.encode(text).size(), 5U);
    EXPECT_EQ(safe.decode(safe.encode(text)), text);
}

TEST(BytePair, ALongWordTakesNoSquareOfTime) {
    const std::string word(200000, 'a');
    const BytePair tokenizer = scripture();
    EXPECT_EQ(tokenizer.decode(tokenizer.encode(word)), word);
}

class BytePairFiles : public zoo::testing::Scratch {};

TEST_F(BytePairFiles, RefusesWhatIsNoVocabulary) {
    const std::filesystem::path dir = path("");
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "has no vocabulary");
    std::ofstream(dir / "vocab.json") << R"({"a": 0})";
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "there is no token for byte 0");
    std::ofstream(dir / "vocab.json") << R"({"a": 0, "b": 0})";
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "ids must be 0 to 1, each once");
    std::ofstream(dir / "vocab.json") << "{";
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "vocab.json");
    std::filesystem::copy_file(
        ZOO_TEST_DATA_DIR "/../../models/gpt2/scripture/vocab.json", dir / "vocab.json",
        std::filesystem::copy_options::overwrite_existing);
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "cannot open");
    std::ofstream(dir / "merges.txt") << "#version: 0.2\n";
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "merges.txt' has no merges");
    std::ofstream(dir / "merges.txt") << "#version: 0.2\nt h\nno such\n";
    EXPECT_THROWS_WITH((void)BytePair::from_directory(dir), "merges.txt line 3: 'no such'");
    EXPECT_THROWS_WITH((void)scripture().decode(std::vector<std::int32_t>{4096}), "there is no token 4096");
}

}  // namespace
