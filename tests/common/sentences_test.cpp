// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/sentences.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> sentences_of(const std::string& text) {
    std::vector<std::string> out;
    for (const auto& range : zoo::text::split_sentences(text)) {
        out.emplace_back(zoo::text::slice(text, range));
    }
    return out;
}

TEST(Sentences, SplitsAndTrims) {
    EXPECT_THAT(sentences_of("  One is here. Two?  Three! \n"), ElementsAre("One is here.", "Two?", "Three!"));
    EXPECT_THAT(sentences_of("no full stop"), ElementsAre("no full stop"));
    EXPECT_THAT(sentences_of("He said \"Stop.\" Then he left."), ElementsAre("He said \"Stop.\"", "Then he left."));
}

TEST(Sentences, NothingFromNothing) {
    EXPECT_THAT(sentences_of(""), IsEmpty());
    EXPECT_THAT(sentences_of(" \n\t\u3000 "), IsEmpty());
}

TEST(Sentences, LinesEndSentences) {
    EXPECT_THAT(sentences_of("A title\nThe text.\r\n\r\nMore"), ElementsAre("A title", "The text.", "More"));
}

TEST(Sentences, AbbreviationsAndNumbersDoNot) {
    EXPECT_THAT(
        sentences_of("Dr. Who met Mr. Jones at 5 p.m. on St. Mary Street. It cost 3.14 pounds."),
        ElementsAre("Dr. Who met Mr. Jones at 5 p.m. on St. Mary Street.", "It cost 3.14 pounds."));
}

TEST(Sentences, OffsetsAreBytes) {
    const std::string text = "Où est Zoé? 今日は晴れです。明日は雨です。🙂 Fin.";
    EXPECT_THAT(sentences_of(text), ElementsAre("Où est Zoé?", "今日は晴れです。", "明日は雨です。", "🙂 Fin."));
}

TEST(Sentences, InvalidBytesAreKept) {
    EXPECT_THAT(sentences_of("Bad \xFF byte. Next \xE4\xB8"), ElementsAre("Bad \xFF byte.", "Next \xE4\xB8"));
}

}  // namespace
