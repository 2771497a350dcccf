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

#include "zoo/text/offset.hpp"

namespace zoo::text {

// The names are Hugging Face's, so the values of a tokenizer_config.json can be copied here.
struct WordPieceOptions {
    bool do_lower_case = true;
    std::optional<bool> strip_accents;  // unset: as do_lower_case
    bool tokenize_chinese_chars = true;
    std::size_t max_input_chars_per_word = 100;  // a longer word becomes one unk_token

    std::string unk_token = "[UNK]";
    std::string cls_token = "[CLS]";
    std::string sep_token = "[SEP]";
    std::string pad_token = "[PAD]";
    std::string mask_token = "[MASK]";
    // Further entries of the vocabulary that are special tokens too.
    std::vector<std::string> never_split;
    // False: a special token spelt out in a text becomes its own id. True: it is text like any other, which is the
    // safe choice for text from strangers.
    bool split_special_tokens = false;
};

enum class Truncation {
    LongestFirst,  // the longer text of a pair loses tokens first
    OnlySecond,    // the first text of a pair stays whole; an error if that does not fit
};

struct EncodeOptions {
    bool add_special_tokens = true;         // [CLS] first [SEP], or [CLS] first [SEP] second [SEP]
    std::optional<std::size_t> max_length;  // in tokens, special tokens included; unset: no limit
    std::optional<std::size_t> pad_to;      // in tokens; an encoding that is longer still is an error
    Truncation truncation = Truncation::LongestFirst;
};

// Where a token comes from.
enum class Source : std::int8_t { None = -1, First = 0, Second = 1 };

// One model input. All vectors have the same length.
struct Encoding {
    std::vector<std::int32_t> ids;
    std::vector<std::int32_t> token_type_ids;  // 1 for the second text and the [SEP] after it
    std::vector<std::int32_t> attention_mask;  // 0 for padding
    // The bytes of the caller's own string (which one: which_text) that became the token, before any normalisation: an
    // answer from token i to token j is the bytes offsets[i].begin to offsets[j].end. Added tokens have {0, 0}.
    std::vector<Offset> offsets;
    std::vector<Source> which_text;
    bool truncated = false;  // some tokens of the texts are not in this encoding

    [[nodiscard]] std::size_t size() const { return ids.size(); }
};

// BERT's tokenizer: the ids and offsets are those of Hugging Face's BertTokenizerFast for the same vocabulary.
// Where the slow BertTokenizer of older releases differs, as in a final sigma (it gives U+03C2, the fast one U+03C3) or
// in punctuation younger than Unicode 8, the fast one is followed.
// Texts are UTF-8. Bytes that are not UTF-8 count as U+FFFD, which BERT drops as it drops control characters: they
// neither appear in the ids nor split a word. Copies share the vocabulary; const calls may run concurrently.
class WordPiece {
public:
    using Encoding = text::Encoding;

    // A vocab.txt: one token a line, its id is its line number from 0. Throws zoo::Error if the file cannot be read or
    // is not such a list.
    [[nodiscard]] static WordPiece from_vocab_file(const std::filesystem::path& path, WordPieceOptions options = {});
    // The id of a token is its index.
    [[nodiscard]] static WordPiece from_tokens(std::vector<std::string> tokens, WordPieceOptions options = {});

    [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
    [[nodiscard]] Encoding encode_pair(
        std::string_view first, std::string_view second, const EncodeOptions& options = {}) const;
    // Cuts a context that is too long into windows of at most max_length tokens, each a pair with the whole question.
    // Neighbours share doc_stride tokens of the context (as Hugging Face counts it; not the step between windows).
    [[nodiscard]] std::vector<Encoding> encode_pair_windows(
        std::string_view question, std::string_view context, std::size_t max_length, std::size_t doc_stride,
        std::optional<std::size_t> pad_to = std::nullopt) const;

    // The text of the tokens: words apart by one space, pieces joined, no space before . , ? and !.
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids, bool skip_special_tokens = true) const;

    [[nodiscard]] std::size_t vocab_size() const;
    [[nodiscard]] std::optional<std::int32_t> find_id(std::string_view token) const;
    [[nodiscard]] std::int32_t id(std::string_view token) const;    // throws if the vocabulary lacks it
    [[nodiscard]] const std::string& token(std::int32_t id) const;  // throws if out of range
    [[nodiscard]] bool is_special(std::int32_t id) const;

    // Each throws if the vocabulary lacks the token.
    [[nodiscard]] std::int32_t cls_id() const;
    [[nodiscard]] std::int32_t sep_id() const;
    [[nodiscard]] std::int32_t pad_id() const;
    [[nodiscard]] std::int32_t mask_id() const;
    [[nodiscard]] std::int32_t unk_id() const;

    [[nodiscard]] const WordPieceOptions& options() const;

private:
    struct Impl;
    explicit WordPiece(std::shared_ptr<const Impl> impl);

    std::shared_ptr<const Impl> impl_;
};

}  // namespace zoo::text
