// SPDX-License-Identifier: Apache-2.0
// Against Hugging Face's `tokenizers`, id for id and byte for byte. scripts/make_wordpiece_fixtures.py wrote the data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "zoo/text/wordpiece.hpp"

namespace {

using nlohmann::json;
using zoo::text::EncodeOptions;
using zoo::text::Encoding;
using zoo::text::Offset;
using zoo::text::Truncation;
using zoo::text::WordPiece;
using zoo::text::WordPieceOptions;

const std::string kData = ZOO_TEST_DATA_DIR "/text/";

json load(const std::string& name) {
    std::ifstream file(kData + name);
    return json::parse(file);
}

// The cases of the default options come first.
json all_groups() {
    json groups = load("wordpiece_cases.json")["groups"];
    const json others = load("wordpiece_options.json")["groups"];
    groups.insert(groups.end(), others.begin(), others.end());
    return groups;
}

WordPieceOptions options_of(const json& node) {
    WordPieceOptions options;
    options.do_lower_case = node.value("do_lower_case", true);
    if (node.contains("strip_accents")) {
        options.strip_accents = node["strip_accents"].get<bool>();
    }
    options.tokenize_chinese_chars = node.value("tokenize_chinese_chars", true);
    options.split_special_tokens = node.value("split_special_tokens", false);
    options.never_split = node.value("never_split", std::vector<std::string>{});
    return options;
}

WordPiece small(const WordPieceOptions& options = {}) {
    return WordPiece::from_vocab_file(kData + "vocab_small.txt", options);
}

std::string text_of(const json& node) {
    if (node.contains("text")) {
        return node["text"];
    }
    const std::string hex = node["hex"];
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

std::vector<Offset> offsets_of(const json& node) {
    std::vector<Offset> offsets;
    for (const json& range : node["offsets"]) {
        offsets.push_back({range[0], range[1]});
    }
    return offsets;
}

bool agrees(const Encoding& encoding, const json& node) {
    return encoding.ids == node["ids"].get<std::vector<std::int32_t>>() && encoding.offsets == offsets_of(node);
}

std::string printed(const Encoding& encoding) {
    json out;
    out["ids"] = encoding.ids;
    for (const Offset& o : encoding.offsets) {
        out["offsets"].push_back({o.begin, o.end});
    }
    return out.dump();
}

TEST(WordPieceFixtures, EncodesEveryCaseOfEveryOptionSet) {
    const json groups = all_groups();
    std::map<std::string, int> kinds;
    for (const json& group : groups) {
        const WordPiece tokenizer = small(options_of(group["options"]));
        for (const json& node : group["cases"]) {
            const Encoding encoding = tokenizer.encode(text_of(node));
            EXPECT_TRUE(agrees(encoding, node))
                << "options " << group["options"] << "\nwant " << node << "\ngot  " << printed(encoding);
            ++kinds[node["kind"]];
        }
    }
    EXPECT_EQ(groups.size(), 7u);
    EXPECT_GT(groups[0]["cases"].size(), 380u);
    for (const char* kind :
         {"empty", "latin", "accents", "case", "cjk", "scripts", "emoji", "control", "zero_width", "replacement",
          "whitespace", "punctuation", "special", "long", "invalid", "random", "sentence"}) {
        EXPECT_GE(kinds[kind], 5) << kind;
    }
}

// Were an option ignored, its group would pass with the defaults too.
TEST(WordPieceFixtures, EachOptionMatters) {
    const json groups = all_groups();
    const WordPiece plain = small();
    for (std::size_t i = 1; i < groups.size(); ++i) {
        int differing = 0;
        for (const json& node : groups[i]["cases"]) {
            differing += !agrees(plain.encode(text_of(node)), node);
        }
        EXPECT_GE(differing, 5) << groups[i]["options"];
    }
}

TEST(WordPieceFixtures, PairsAndTruncation) {
    const json pairs = load("wordpiece_pairs.json")["pairs"];
    const WordPiece tokenizer = small();
    int cut = 0;
    for (const json& node : pairs) {
        EncodeOptions options;
        if (!node["max_length"].is_null()) {
            options.max_length = node["max_length"].get<std::size_t>();
        }
        options.truncation = node["truncation"] == "only_second" ? Truncation::OnlySecond : Truncation::LongestFirst;
        const Encoding encoding =
            tokenizer.encode_pair(node["first"].get<std::string>(), node["second"].get<std::string>(), options);
        EXPECT_TRUE(agrees(encoding, node)) << "want " << node << "\ngot  " << printed(encoding);
        EXPECT_EQ(encoding.token_type_ids, node["token_type_ids"].get<std::vector<std::int32_t>>()) << node;
        EXPECT_EQ(encoding.attention_mask, std::vector<std::int32_t>(encoding.size(), 1));
        cut += encoding.truncated;
    }
    EXPECT_EQ(pairs.size(), 60u);
    EXPECT_GT(cut, 20);
}

TEST(WordPieceFixtures, Windows) {
    const json cases = load("wordpiece_pairs.json")["windows"];
    const WordPiece tokenizer = small();
    std::size_t most = 0;
    for (const json& node : cases) {
        const auto windows = tokenizer.encode_pair_windows(
            node["question"].get<std::string>(), node["context"].get<std::string>(), node["max_length"],
            node["doc_stride"]);
        ASSERT_EQ(windows.size(), node["windows"].size()) << node;
        for (std::size_t i = 0; i < windows.size(); ++i) {
            EXPECT_TRUE(agrees(windows[i], node["windows"][i])) << "window " << i << " of " << node;
            EXPECT_EQ(windows[i].truncated, windows.size() > 1);
        }
        most = std::max(most, windows.size());
    }
    EXPECT_GT(most, 5u);
}

TEST(WordPieceFixtures, Decodes) {
    const json cases = load("wordpiece_pairs.json")["decoded"];
    const WordPiece tokenizer = small();
    for (const json& node : cases) {
        const auto ids = node["ids"].get<std::vector<std::int32_t>>();
        EXPECT_EQ(tokenizer.decode(ids, node["skip_special_tokens"]), node["text"].get<std::string>()) << node;
    }
    EXPECT_EQ(cases.size(), 60u);
}

std::string utf8(std::uint32_t c) {
    std::string out;
    if (c < 0x80) {
        out += static_cast<char>(c);
    } else if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        out += static_cast<char>(0x80 | (c >> 12 & 0x3F));
        out += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        out += static_cast<char>(0x80 | (c & 0x3F));
    }
    return out;
}

// Which characters vanish, split, stand alone or stay in a word, for all of Unicode.
TEST(WordPieceCharacters, SplitAsTheReference) {
    std::size_t characters = 0;
    const json groups = load("wordpiece_characters.json")["splits"];
    for (const json& group : groups) {
        const auto tokenizer = WordPiece::from_tokens({"[UNK]", "a", "b", "##b"}, options_of(group["options"]));
        int wrong = 0;
        for (const json& run : group["runs"]) {
            const auto want = run[2].get<std::vector<std::int32_t>>();
            for (std::uint32_t c = run[0]; c <= run[1].get<std::uint32_t>(); ++c) {
                if (c >= 0xD800 && c < 0xE000) {
                    continue;
                }
                ++characters;
                const auto got =
                    tokenizer.encode(std::string("a").append(utf8(c)).append("b"), {.add_special_tokens = false}).ids;
                if (got != want && ++wrong <= 10) {
                    ADD_FAILURE() << group["options"] << " U+" << std::hex << c << ": " << json(got) << "; " << run;
                }
            }
        }
        EXPECT_EQ(wrong, 0);
    }
    EXPECT_EQ(characters, 2u * (0x110000 - 0x800));
}

// Lower case and decomposition of single characters.
TEST(WordPieceCharacters, FoldAsTheReference) {
    const json groups = load("wordpiece_characters.json")["folds"];
    EXPECT_EQ(groups.size(), 2u);
    for (const json& group : groups) {
        std::vector<std::string> tokens{"[UNK]"};
        std::map<std::string, std::int32_t> ids;
        for (const json& pair : group["pairs"]) {
            const std::string folded = pair[1];
            if (ids.emplace(folded, static_cast<std::int32_t>(tokens.size())).second) {
                tokens.push_back(folded);
            }
        }
        const auto tokenizer = WordPiece::from_tokens(tokens, options_of(group["options"]));
        for (const json& pair : group["pairs"]) {
            const auto got = tokenizer.encode(utf8(pair[0]), {.add_special_tokens = false}).ids;
            EXPECT_THAT(got, testing::ElementsAre(ids.at(pair[1]))) << "U+" << std::hex << pair[0].get<std::uint32_t>();
        }
        EXPECT_GT(group["pairs"].size(), 1300u);
    }
}

}  // namespace
