// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/text/offset.hpp"

namespace zoo::text {

enum class Truncation {
    LongestFirst,  // the longer text of a pair loses tokens first
    OnlySecond,    // the first text of a pair stays whole; an error if that does not fit
    HeadAndTail,   // a single text loses its middle; a pair is cut as by LongestFirst
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

// The tokens of one text, before special tokens are added.
struct Pieces {
    std::vector<std::int32_t> ids;
    std::vector<Offset> offsets;

    [[nodiscard]] std::size_t size() const { return ids.size(); }
    void add(std::int32_t id, Offset offset) {
        ids.push_back(id);
        offsets.push_back(offset);
    }
};

// A tokenizer of an encoder: the way from pieces to model inputs is the same for all of them.
class Tokenizer {
public:
    virtual ~Tokenizer() = default;

    [[nodiscard]] Encoding encode(std::string_view text, const EncodeOptions& options = {}) const;
    [[nodiscard]] Encoding encode_pair(
        std::string_view first, std::string_view second, const EncodeOptions& options = {}) const;
    // Cuts a context that is too long into windows of at most max_length tokens, each a pair with the whole question.
    // Neighbours share doc_stride tokens of the context (as Hugging Face counts it; not the step between windows).
    [[nodiscard]] std::vector<Encoding> encode_pair_windows(
        std::string_view question, std::string_view context, std::size_t max_length, std::size_t doc_stride,
        std::optional<std::size_t> pad_to = std::nullopt) const;

    [[nodiscard]] virtual std::string decode(
        std::span<const std::int32_t> ids, bool skip_special_tokens = true) const = 0;

    [[nodiscard]] virtual std::size_t vocab_size() const = 0;
    [[nodiscard]] virtual std::optional<std::int32_t> find_id(std::string_view token) const = 0;
    [[nodiscard]] std::int32_t id(std::string_view token) const;                // throws if the vocabulary lacks it
    [[nodiscard]] virtual const std::string& token(std::int32_t id) const = 0;  // throws if out of range
    [[nodiscard]] virtual bool is_special(std::int32_t id) const = 0;

    // Each throws if the vocabulary lacks the token.
    [[nodiscard]] std::int32_t cls_id() const;
    [[nodiscard]] std::int32_t sep_id() const;
    [[nodiscard]] std::int32_t pad_id() const;
    [[nodiscard]] std::int32_t mask_id() const;

protected:
    Tokenizer() = default;
    Tokenizer(const Tokenizer&) = default;
    Tokenizer(Tokenizer&&) = default;
    Tokenizer& operator=(const Tokenizer&) = default;
    Tokenizer& operator=(Tokenizer&&) = default;

    // How the special tokens that encodings are made with are spelt.
    struct SpecialNames {
        std::string_view cls;
        std::string_view sep;
        std::string_view pad;
        std::string_view mask;
    };

    [[nodiscard]] virtual std::string_view name() const = 0;  // of the class, for messages
    [[nodiscard]] virtual SpecialNames special_names() const = 0;
    [[nodiscard]] virtual Pieces tokenize(std::string_view text) const = 0;

    [[nodiscard]] std::int32_t require(std::string_view token, std::string_view function) const;
    [[nodiscard]] std::string where(std::string_view function) const;

private:
    [[nodiscard]] Encoding assemble(
        const Pieces& first, const Pieces* second, Offset second_range, bool truncated, const EncodeOptions& options,
        std::string_view function) const;
};

}  // namespace zoo::text
