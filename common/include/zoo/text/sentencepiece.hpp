// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "zoo/text/tokenizer.hpp"

namespace zoo::text {

// The names are Hugging Face's.
struct SentencePieceOptions {
    bool do_lower_case = true;
    bool keep_accents = false;
    // False: a special token spelt out in a text becomes its own id. True: it is text like any other.
    bool split_special_tokens = false;

    std::string unk_token = "<unk>";
    std::string cls_token = "[CLS]";
    std::string sep_token = "[SEP]";
    std::string pad_token = "<pad>";
    std::string mask_token = "[MASK]";
};

// ALBERT's tokenizer: the ids are those of Hugging Face's AlbertTokenizer (the one with a spiece.model; the fast one
// knows nothing of the rule that "9,9" is 9 and , and 9). Texts are UTF-8; bytes that are not count as U+FFFD. Copies share
// the model; const calls may run concurrently.
class SentencePiece final : public Tokenizer {
public:
    // A spiece.model. Throws zoo::Error if the file cannot be read, is no SentencePiece model or lacks a special token.
    [[nodiscard]] static SentencePiece from_model_file(
        const std::filesystem::path& path, SentencePieceOptions options = {});

    // The text of the pieces; special tokens, where kept, stand apart by spaces.
    [[nodiscard]] std::string decode(std::span<const std::int32_t> ids, bool skip_special_tokens = true) const override;

    [[nodiscard]] std::size_t vocab_size() const override;
    [[nodiscard]] std::optional<std::int32_t> find_id(std::string_view token) const override;
    [[nodiscard]] const std::string& token(std::int32_t id) const override;
    [[nodiscard]] bool is_special(std::int32_t id) const override;

private:
    struct Impl;
    explicit SentencePiece(std::shared_ptr<const Impl> impl);

    [[nodiscard]] std::string_view name() const override { return "SentencePiece"; }
    [[nodiscard]] SpecialNames special_names() const override;
    [[nodiscard]] Pieces tokenize(std::string_view text) const override;

    std::shared_ptr<const Impl> impl_;
};

}  // namespace zoo::text
