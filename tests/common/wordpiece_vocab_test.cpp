// SPDX-License-Identifier: Apache-2.0
// Vocabulary files, good and bad.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "zoo/error.hpp"
#include "zoo/text/wordpiece.hpp"

namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using zoo::text::WordPiece;

class VocabFile : public testing::Test {
protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        directory_ = std::filesystem::path(testing::TempDir()) / (std::string("zoo_vocab_") + test->name());
        std::filesystem::create_directories(directory_);
    }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    std::filesystem::path write(const std::string& content) const {
        const auto path = directory_ / "vocab.txt";
        std::ofstream(path, std::ios::binary) << content;
        return path;
    }

    std::string error_of(const std::filesystem::path& path) const {
        try {
            (void)WordPiece::from_vocab_file(path);
        } catch (const zoo::Error& error) {
            return error.what();
        }
        return "no error";
    }

    std::filesystem::path directory_;
};

TEST_F(VocabFile, IdsAreLineNumbers) {
    const auto tokenizer = WordPiece::from_vocab_file(write("[UNK]\nthe\n##y\n"));
    EXPECT_EQ(tokenizer.vocab_size(), 3u);
    EXPECT_THAT(tokenizer.encode("they", {.add_special_tokens = false}).ids, ElementsAre(1, 2));
}

TEST_F(VocabFile, EditorsLeaveTheirMarks) {
    // A byte order mark, CRLF, no final line break; blank lines at the end.
    for (const char* content : {"\xEF\xBB\xBF[UNK]\r\nthe\r\n##y", "[UNK]\nthe\n##y\n\n\r\n"}) {
        const auto tokenizer = WordPiece::from_vocab_file(write(content));
        EXPECT_EQ(tokenizer.vocab_size(), 3u);
        EXPECT_EQ(tokenizer.id("[UNK]"), 0);
        EXPECT_EQ(tokenizer.id("##y"), 2);
    }
}

TEST_F(VocabFile, ABlankLineInsideKeepsItsId) {
    const auto tokenizer = WordPiece::from_vocab_file(write("[UNK]\n\n\nthe\n"));
    EXPECT_EQ(tokenizer.id("the"), 3);
    EXPECT_EQ(tokenizer.vocab_size(), 4u);
}

TEST_F(VocabFile, Missing) {
    EXPECT_THAT(
        error_of(directory_ / "none.txt"),
        AllOf(
            HasSubstr("[WordPiece::from_vocab_file] cannot open"), HasSubstr("none.txt"), HasSubstr("No such file"),
            HasSubstr("one token a line")));
}

TEST_F(VocabFile, Directory) {
    EXPECT_THAT(error_of(directory_), AllOf(HasSubstr("is a directory"), HasSubstr("vocab.txt in it")));
}

TEST_F(VocabFile, Empty) {
    EXPECT_THAT(error_of(write("")), HasSubstr("is empty"));
    EXPECT_THAT(error_of(write("\n\n\r\n")), HasSubstr("is empty"));
}

TEST_F(VocabFile, DuplicateToken) {
    EXPECT_THAT(
        error_of(write("[UNK]\nthe\nit\nthe\n")),
        AllOf(HasSubstr("'the' is there twice"), HasSubstr("line 2"), HasSubstr("line 4")));
    EXPECT_THROW((void)WordPiece::from_tokens({"[UNK]", "[UNK]"}), zoo::Error);
}

TEST_F(VocabFile, NoUnknownToken) {
    EXPECT_THAT(error_of(write("the\nit\n")), AllOf(HasSubstr("none of the 2 tokens is '[UNK]'")));
    EXPECT_EQ(WordPiece::from_tokens({"<unk>"}, {.unk_token = "<unk>"}).unk_id(), 0);
}

TEST_F(VocabFile, HugeLine) {
    EXPECT_THAT(
        error_of(write("[UNK]\n" + std::string(100'000, 'x') + "\n")),
        AllOf(HasSubstr("line 2 has 100000 bytes"), HasSubstr("at most 1000")));
}

TEST_F(VocabFile, Binary) {
    EXPECT_THAT(
        error_of(write(std::string("[UNK]\nab\0cd\n", 12))), AllOf(HasSubstr("line 2"), HasSubstr("zero byte")));
    EXPECT_THAT(error_of(write("[UNK]\n\xC3\x28\n")), AllOf(HasSubstr("line 2"), HasSubstr("not UTF-8")));
}

TEST_F(VocabFile, EndlessFile) {
    if (std::filesystem::exists("/dev/zero")) {
        EXPECT_THAT(error_of("/dev/zero"), HasSubstr("more than 67108864 bytes"));
    }
}

}  // namespace
