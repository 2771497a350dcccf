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

#include "zoo/text/tokenizer.hpp"

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

// BERT's tokenizer: the ids and offsets are those of Hugging Face's BertTokenizerFast for the same vocabulary.
// Where the slow BertTokenizer of older releases differs, as in a final sigma (it gives U+03C2, the fast one U+03C3) or
// in punctuation younger than Unicode 8, the fast one is followed.
// Texts are UTF-8. Bytes that are not UTF-8 count as U+FFFD, which BERT drops as it drops control characters: they
// neither appear in the ids nor split a word. Copies share the vocabulary; const calls may run concurrently.
class WordPiece final : public Tokenizer {
public:
    using Encoding = text::Encoding;

    // A vocab.txt: one token a line, its id is its line number from 0. Throws zoo::Error if the file cannot be read or
    // is not such a list.
    [[nodiscard]] static WordPiece from_vocab_file(const std::filesystem::path& path, WordPieceOptions options = {});
    // The id of a token is its index.
    [[nodiscard]] static WordPiece from_tokens(std::vector<std::string> tokens, WordPieceOptions options = {});

    // The text of the tokens: words apart by one space, pieces joined, no space before . , ? and !.
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids, bool skip_special_tokens = true) const override;

    [[nodiscard]] std::size_t vocab_size() const override;
    [[nodiscard]] std::optional<std::int32_t> find_id(std::string_view token) const override;
    [[nodiscard]] const std::string& token(std::int32_t id) const override;
    [[nodiscard]] bool is_special(std::int32_t id) const override;
    [[nodiscard]] std::int32_t unk_id() const;

    [[nodiscard]] const WordPieceOptions& options() const;

private:
    struct Impl;
    explicit WordPiece(std::shared_ptr<const Impl> impl);

    [[nodiscard]] std::string_view name() const override { return "WordPiece"; }
    [[nodiscard]] SpecialNames special_names() const override;
    [[nodiscard]] Pieces tokenize(std::string_view text) const override;

    std::shared_ptr<const Impl> impl_;
};

}  // namespace zoo::text
