// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace zoo::text {

struct BytePairOptions {
    // Tokens beside the vocabulary that a text is searched for first, the longest at the leftmost place; their ids follow on the
    // vocabulary's, in this order. CodeGen: see codegen_added_tokens.
    std::vector<std::string> added_tokens;
    std::string end_of_text = "<|endoftext|>";
    // False: end_of_text spelt out in a text becomes its own id. True: it is text like any other, the safe choice for text
    // from strangers.
    bool split_special_tokens = false;
};

// 31 to 2 spaces, then 9 to 2 tabs: what CodeGen's tokenizer has beyond GPT-2's.
[[nodiscard]] std::vector<std::string> codegen_added_tokens();

// GPT-2's byte-level byte-pair encoding: the ids are those of Hugging Face's GPT2TokenizerFast for the same files, and of
// CodeGenTokenizerFast with its added tokens. Texts are UTF-8; bytes that are not count as U+FFFD, one for each longest
// beginning of a character, as Python's errors="replace" does it. Copies share the tables; const calls may run concurrently.
class BytePair {
public:
    // vocab.json and merges.txt, or the older names encoder.json and vocab.bpe. Error if they cannot be read, or do not fit
    // each other.
    [[nodiscard]] static BytePair from_directory(const std::filesystem::path& directory, BytePairOptions options = {});
    [[nodiscard]] static BytePair from_files(
        const std::filesystem::path& vocab, const std::filesystem::path& merges, BytePairOptions options = {});

    [[nodiscard]] std::vector<std::int32_t> encode(std::string_view text) const;
    // The text of the tokens. What is no UTF-8 in the end becomes U+FFFD. Error for an id out of range.
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids) const;
    // The bytes of one token, which may be part of a character.
    [[nodiscard]] const std::string& bytes(std::int32_t id) const;

    [[nodiscard]] std::size_t vocab_size() const;  // added tokens included
    [[nodiscard]] std::optional<std::int32_t> end_of_text() const;

private:
    struct Impl;
    explicit BytePair(std::shared_ptr<const Impl> impl);

    std::shared_ptr<const Impl> impl_;
};

// Tokens in, text out, a whole character at a time: bytes of one that is not finished are kept back.
class StreamDecoder {
public:
    explicit StreamDecoder(const BytePair& tokenizer) : tokenizer_(tokenizer) {}

    // The text that the token completes; may be empty.
    [[nodiscard]] std::string next(std::int32_t id);
    // What is left at the end, with U+FFFD for an unfinished character.
    [[nodiscard]] std::string finish();

private:
    BytePair tokenizer_;
    std::string pending_;
};

}  // namespace zoo::text
