// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/sentencepiece.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <utility>

#include "albert_characters.hpp"
#include "message.hpp"
#include "unigram.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr std::string_view kUnderline = "\u2581";  // SentencePiece's space

std::string without_underlines(std::string_view piece) {
    std::string text(piece);
    for (auto at = text.find(kUnderline); at != std::string::npos; at = text.find(kUnderline, at)) {
        text.erase(at, kUnderline.size());
    }
    return text;
}

// The bytes of the caller's text behind a range of the normalised one, without the space that a piece may start with.
Offset source_of(const albert::Normalized& text, std::size_t begin, std::size_t end) {
    while (begin < end && text.text[begin] == ' ') {
        ++begin;
    }
    return begin < end ? Offset{text.sources[begin].begin, text.sources[end - 1].end} : Offset{};
}

std::string read_file(const std::filesystem::path& path, std::string_view where) {
    std::ifstream file(path, std::ios::binary);
    if (!file || std::filesystem::is_directory(path)) {
        fail(where, path.string(), " cannot be read; it must be a SentencePiece model, such as spiece.model");
    }
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

struct SentencePiece::Impl {
    SentencePieceOptions options;
    Unigram model;
    std::array<std::pair<std::string, std::int32_t>, 5> special;

    // Whether a special token stands at the beginning of a text. Hugging Face lowers the case of all that is no special
    // token before it looks for them a second time, so that <PAD> is one as well, and [cls] is not.
    [[nodiscard]] bool starts_with(std::string_view text, std::string_view token) const;
    // Pieces of a text without special tokens.
    void tokenize_part(std::string_view text, std::size_t base, Pieces& out) const;
    // A piece that ends in a digit and a comma, begin to end of `text`: its pieces without the comma, and the comma.
    void split_comma(
        const std::string& piece, const albert::Normalized& text, std::size_t begin, std::size_t end,
        Pieces& out) const;
};

bool SentencePiece::Impl::starts_with(std::string_view text, std::string_view token) const {
    const auto lowered = [&](char c) {
        return options.do_lower_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return text.starts_with(token) ||
           (text.size() >= token.size() &&
            std::equal(token.begin(), token.end(), text.begin(), [&](char a, char b) { return a == lowered(b); }));
}

void SentencePiece::Impl::split_comma(
    const std::string& piece, const albert::Normalized& text, std::size_t begin, std::size_t end, Pieces& out) const {
    while (begin < end && text.text[begin] == ' ') {
        ++begin;
    }
    const std::string digits = without_underlines(std::string_view(piece).substr(0, piece.size() - 1));
    const std::vector<Unigram::Piece> parts = model.encode(digits);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Unigram::Piece& part = parts[i];
        std::string spelt = part.text;
        if (i == 0 && !piece.starts_with(kUnderline) && spelt.starts_with(kUnderline)) {
            spelt.erase(0, kUnderline.size());
            if (spelt.empty()) {
                continue;
            }
        }
        const std::size_t first = std::min(begin + part.begin, end - 1);
        const std::size_t last = std::min(begin + part.end, end - 1);
        out.add(model.id(spelt), source_of(text, first, last));
    }
    out.add(model.id(","), source_of(text, end - 1, end));
}

void SentencePiece::Impl::tokenize_part(std::string_view text, std::size_t base, Pieces& out) const {
    const albert::Normalized normalized = albert::normalize(text, base, options.do_lower_case, options.keep_accents);
    for (const Unigram::Piece& piece : model.encode(normalized.text)) {
        const std::string& spelt = piece.text;
        const albert::LastTwo ending = spelt.ends_with(',') ? albert::last_two(spelt) : albert::LastTwo{};
        if (ending.before_last != 0 && albert::is_digit(ending.before_last)) {
            split_comma(spelt, normalized, piece.begin, piece.end, out);
        } else {
            out.add(piece.id, source_of(normalized, piece.begin, piece.end));
        }
    }
}

SentencePiece::SentencePiece(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

SentencePiece SentencePiece::from_model_file(const std::filesystem::path& path, SentencePieceOptions options) {
    constexpr std::string_view where = "SentencePiece::from_model_file";
    const std::string bytes = read_file(path, where);
    auto impl = std::make_shared<Impl>(Impl{std::move(options), Unigram(bytes, where, path.string()), {}});
    const SentencePieceOptions& names = impl->options;
    const std::array<std::string, 5> special{
        names.unk_token, names.cls_token, names.sep_token, names.pad_token, names.mask_token};
    for (std::size_t i = 0; i < special.size(); ++i) {
        const std::int32_t id = impl->model.id(special[i]);
        if (impl->model.piece(id) != special[i]) {
            fail(
                where, path.string(), " has no ", in_quotes(special[i]), " among its ", impl->model.size(),
                " pieces; check that it is ALBERT's own");
        }
        impl->special[i] = {special[i], id};
    }
    return SentencePiece(std::move(impl));
}

Pieces SentencePiece::tokenize(std::string_view text) const {
    Pieces out;
    std::size_t begin = 0;
    for (std::size_t at = 0; !impl_->options.split_special_tokens && at < text.size();) {
        const auto found = std::ranges::find_if(
            impl_->special, [&](const auto& token) { return impl_->starts_with(text.substr(at), token.first); });
        if (found == impl_->special.end()) {
            ++at;
            continue;
        }
        impl_->tokenize_part(text.substr(begin, at - begin), begin, out);
        begin = at + found->first.size();
        out.add(found->second, {at, begin});
        at = begin;
    }
    impl_->tokenize_part(text.substr(begin), begin, out);
    return out;
}

std::string SentencePiece::decode(std::span<const std::int32_t> ids, bool skip_special_tokens) const {
    std::string text;
    std::vector<std::int32_t> run;
    const auto add = [&](const std::string& part) { text += (text.empty() || part.empty() ? "" : " ") + part; };
    const auto flush = [&] {
        add(impl_->model.decode(run));
        run.clear();
    };
    for (const std::int32_t piece : ids) {
        const std::string& spelt = token(piece);
        if (!is_special(piece)) {
            run.push_back(piece);
        } else if (!skip_special_tokens) {
            flush();
            add(spelt);
        }
    }
    flush();
    return text;
}

std::size_t SentencePiece::vocab_size() const { return impl_->model.size(); }

std::optional<std::int32_t> SentencePiece::find_id(std::string_view token) const {
    const std::int32_t id = impl_->model.id(token);
    return impl_->model.piece(id) == token ? std::optional<std::int32_t>(id) : std::nullopt;
}

const std::string& SentencePiece::token(std::int32_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= vocab_size()) {
        fail("SentencePiece::token", "id ", id, " is outside the vocabulary; ids are 0 to ", vocab_size() - 1);
    }
    return impl_->model.piece(id);
}

bool SentencePiece::is_special(std::int32_t id) const {
    return std::ranges::any_of(impl_->special, [&](const auto& token) { return token.second == id; });
}

Tokenizer::SpecialNames SentencePiece::special_names() const {
    const SentencePieceOptions& names = impl_->options;
    return {.cls = names.cls_token, .sep = names.sep_token, .pad = names.pad_token, .mask = names.mask_token};
}

}  // namespace zoo::text
