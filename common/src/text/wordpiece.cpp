// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/wordpiece.hpp"

#include <algorithm>
#include <bitset>
#include <utility>

#include "bert_words.hpp"
#include "message.hpp"
#include "vocabulary.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr std::string_view kContinuation = "##";

struct SpecialToken {
    std::string text;
    std::int32_t id;
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

// The spaces that `tokenizers` takes out again, from one token and the space before it.
void clean_up(std::string& token) {
    static constexpr std::pair<std::string_view, std::string_view> kRules[] = {
        {" .", "."},   {" ?", "?"},           {" !", "!"},   {" ,", ","},     {" ' ", "'"},   {" n't", "n't"},
        {" 'm", "'m"}, {" do not", " don't"}, {" 's", "'s"}, {" 've", "'ve"}, {" 're", "'re"}};
    for (const auto& [from, to] : kRules) {
        replace_all(token, from, to);
    }
}

}  // namespace

struct WordPiece::Impl {
    WordPieceOptions options;
    Vocabulary vocabulary;
    Vocabulary::Node continuation;
    std::int32_t unk_id;
    std::vector<SpecialToken> special;  // longest first
    std::bitset<256> special_starts;    // their first bytes

    Impl(Vocabulary vocab, WordPieceOptions opts, std::string_view where);

    [[nodiscard]] Pieces tokenize(std::string_view text) const;
    void tokenize_word(std::span<const bert::Char> word, Pieces& out) const;
    // The special token at text[at], or nullptr.
    [[nodiscard]] const SpecialToken* special_at(std::string_view text, std::size_t at) const;
    [[nodiscard]] std::int32_t require(const std::string& token, std::string_view where) const;
    [[nodiscard]] bool is_special(std::int32_t id) const;
};

WordPiece::Impl::Impl(Vocabulary vocab, WordPieceOptions opts, std::string_view where)
    : options(std::move(opts)), vocabulary(std::move(vocab)), continuation(vocabulary.walk(kContinuation)) {
    const auto unk = vocabulary.find(options.unk_token);
    if (!unk) {
        fail(
            where, "none of the ", vocabulary.size(), " tokens is ", in_quotes(options.unk_token),
            "; words outside the vocabulary need it; check that this is the model's own vocab.txt");
    }
    unk_id = *unk;
    if (options.max_input_chars_per_word == 0) {
        fail(where, "max_input_chars_per_word is 0; it must be at least 1");
    }
    const auto add = [&](const std::string& token, std::int32_t id) {
        if (!is_special(id)) {
            special.push_back({token, id});
            special_starts.set(static_cast<unsigned char>(token[0]));
        }
    };
    for (const auto* token :
         {&options.unk_token, &options.cls_token, &options.sep_token, &options.pad_token, &options.mask_token}) {
        if (const auto id = vocabulary.find(*token)) {
            add(*token, *id);
        }
    }
    for (const std::string& token : options.never_split) {
        add(token, require(token, where));
    }
    std::ranges::stable_sort(special, std::ranges::greater{}, [](const SpecialToken& s) { return s.text.size(); });
}

std::int32_t WordPiece::Impl::require(const std::string& token, std::string_view where) const {
    const auto id = vocabulary.find(token);
    if (!id) {
        fail(
            where, "the vocabulary of ", vocabulary.size(), " tokens has no ", in_quotes(token),
            "; this call needs it");
    }
    return *id;
}

bool WordPiece::Impl::is_special(std::int32_t id) const {
    return std::ranges::find(special, id, &SpecialToken::id) != special.end();
}

const SpecialToken* WordPiece::Impl::special_at(std::string_view text, std::size_t at) const {
    const auto found =
        std::ranges::find_if(special, [&](const SpecialToken& s) { return text.substr(at).starts_with(s.text); });
    return found == special.end() ? nullptr : &*found;
}

Pieces WordPiece::Impl::tokenize(std::string_view text) const {
    Pieces out;
    out.ids.reserve(text.size() / 4 + 1);
    out.offsets.reserve(text.size() / 4 + 1);
    bert::WordReader reader(
        {.lower_case = options.do_lower_case,
         .strip_accents = options.strip_accents.value_or(options.do_lower_case),
         .split_chinese = options.tokenize_chinese_chars,
         .max_word_chars = options.max_input_chars_per_word},
        [&](std::span<const bert::Char> word) { tokenize_word(word, out); });
    std::size_t begin = 0;
    if (!options.split_special_tokens) {
        for (std::size_t at = 0; at < text.size();) {
            const SpecialToken* token =
                special_starts[static_cast<unsigned char>(text[at])] ? special_at(text, at) : nullptr;
            if (token == nullptr) {
                ++at;
                continue;
            }
            reader.read(text.substr(begin, at - begin), begin);
            begin = at + token->text.size();
            out.add(token->id, {at, begin});
            at = begin;
        }
    }
    reader.read(text.substr(begin), begin);
    return out;
}

void WordPiece::Impl::tokenize_word(std::span<const bert::Char> word, Pieces& out) const {
    const std::size_t count_before = out.size();
    bool known = word.size() <= options.max_input_chars_per_word;
    for (std::size_t start = 0; known && start < word.size();) {
        std::size_t end = start;
        std::int32_t longest = Vocabulary::kNoToken;
        Vocabulary::Node node = start == 0 ? Vocabulary::kRoot : continuation;
        for (std::size_t i = start; i < word.size() && node != Vocabulary::kNoNode; ++i) {
            node = vocabulary.next(node, word[i].code);
            if (node != Vocabulary::kNoNode && vocabulary.token_at(node) != Vocabulary::kNoToken) {
                longest = vocabulary.token_at(node);
                end = i + 1;
            }
        }
        known = longest != Vocabulary::kNoToken;
        if (known) {
            out.add(longest, {word[start].source.begin, word[end - 1].source.end});
        }
        start = end;
    }
    if (!known) {
        out.ids.resize(count_before);
        out.offsets.resize(count_before);
        out.add(unk_id, {word.front().source.begin, word.back().source.end});
    }
}

WordPiece::WordPiece(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

WordPiece WordPiece::from_vocab_file(const std::filesystem::path& path, WordPieceOptions options) {
    constexpr std::string_view where = "WordPiece::from_vocab_file";
    Vocabulary vocabulary(read_vocab_lines(path, where), where, [&](std::size_t i) {
        return path.string() + " line " + std::to_string(i + 1);
    });
    return WordPiece(std::make_shared<const Impl>(std::move(vocabulary), std::move(options), where));
}

WordPiece WordPiece::from_tokens(std::vector<std::string> tokens, WordPieceOptions options) {
    constexpr std::string_view where = "WordPiece::from_tokens";
    Vocabulary vocabulary(std::move(tokens), where, [](std::size_t i) { return "index " + std::to_string(i); });
    return WordPiece(std::make_shared<const Impl>(std::move(vocabulary), std::move(options), where));
}

std::string WordPiece::decode(std::span<const std::int32_t> ids, bool skip_special_tokens) const {
    std::string text;
    std::string piece;
    bool first = true;
    for (const std::int32_t id : ids) {
        const std::string& entry = token(id);
        if (skip_special_tokens && is_special(id)) {
            continue;
        }
        if (first) {
            piece = entry;
        } else if (entry.starts_with(kContinuation)) {
            piece.assign(entry, kContinuation.size());
        } else {
            piece.assign(1, ' ').append(entry);
        }
        clean_up(piece);
        text += piece;
        first = false;
    }
    return text;
}

std::size_t WordPiece::vocab_size() const { return impl_->vocabulary.size(); }

std::optional<std::int32_t> WordPiece::find_id(std::string_view token) const { return impl_->vocabulary.find(token); }

const std::string& WordPiece::token(std::int32_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= vocab_size()) {
        fail("WordPiece::token", "id ", id, " is outside the vocabulary; ids are 0 to ", vocab_size() - 1);
    }
    return impl_->vocabulary.token(id);
}

bool WordPiece::is_special(std::int32_t id) const { return impl_->is_special(id); }

std::int32_t WordPiece::unk_id() const { return impl_->unk_id; }

Tokenizer::SpecialNames WordPiece::special_names() const {
    return {
        .cls = options().cls_token,
        .sep = options().sep_token,
        .pad = options().pad_token,
        .mask = options().mask_token};
}

Pieces WordPiece::tokenize(std::string_view text) const { return impl_->tokenize(text); }

const WordPieceOptions& WordPiece::options() const { return impl_->options; }

}  // namespace zoo::text
