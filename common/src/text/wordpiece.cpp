// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/wordpiece.hpp"

#include <algorithm>
#include <bitset>
#include <tuple>
#include <utility>

#include "bert_words.hpp"
#include "message.hpp"
#include "vocabulary.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr std::string_view kContinuation = "##";

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

struct SpecialToken {
    std::string text;
    std::int32_t id;
};

// How many tokens of each text of a pair fit into `room`, if the longer one is cut first. The odd token of an even
// split goes to the longer text.
std::pair<std::size_t, std::size_t> longest_first(std::size_t first, std::size_t second, std::size_t room) {
    const std::size_t shorter = std::min({first, second, room / 2});
    const std::size_t longer = room - shorter;
    return first <= second ? std::pair{shorter, longer} : std::pair{longer, shorter};
}

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

    [[nodiscard]] std::size_t added_tokens(bool pair, const EncodeOptions& opts) const {
        return !opts.add_special_tokens ? 0 : pair ? 3 : 2;
    }
    void check_room(std::size_t added, const EncodeOptions& opts, std::string_view where) const;
    // second may be null; second_range counts its tokens.
    [[nodiscard]] Encoding assemble(
        const Pieces& first, std::size_t first_size, const Pieces* second, Offset second_range,
        const EncodeOptions& opts, std::string_view where) const;
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

void WordPiece::Impl::check_room(std::size_t added, const EncodeOptions& opts, std::string_view where) const {
    if (opts.max_length && *opts.max_length < added) {
        fail(where, "max_length is ", *opts.max_length, "; the special tokens alone are ", added);
    }
}

Encoding WordPiece::Impl::assemble(
    const Pieces& first, std::size_t first_size, const Pieces* second, Offset second_range, const EncodeOptions& opts,
    std::string_view where) const {
    const std::size_t second_size = second_range.end - second_range.begin;
    const std::size_t size = first_size + second_size + added_tokens(second != nullptr, opts);
    if (opts.pad_to && size > *opts.pad_to) {
        fail(where, size, " tokens do not fit pad_to ", *opts.pad_to, "; set max_length to cut the text");
    }
    const std::size_t padded = std::max(size, opts.pad_to.value_or(0));
    Encoding out;
    out.truncated = first_size < first.size() || (second != nullptr && second_size < second->size());
    out.ids.reserve(padded);
    out.token_type_ids.reserve(padded);
    out.offsets.reserve(padded);
    out.which_text.reserve(padded);
    std::int32_t type = 0;
    const auto add = [&](std::int32_t id, Offset offset, Source source) {
        out.ids.push_back(id);
        out.token_type_ids.push_back(type);
        out.offsets.push_back(offset);
        out.which_text.push_back(source);
    };
    const auto add_special = [&](const std::string& token) {
        if (opts.add_special_tokens) {
            add(require(token, where), {}, Source::None);
        }
    };
    add_special(options.cls_token);
    for (std::size_t i = 0; i < first_size; ++i) {
        add(first.ids[i], first.offsets[i], Source::First);
    }
    add_special(options.sep_token);
    if (second != nullptr) {
        type = 1;
        for (std::size_t i = second_range.begin; i < second_range.end; ++i) {
            add(second->ids[i], second->offsets[i], Source::Second);
        }
        add_special(options.sep_token);
    }
    out.attention_mask.assign(size, 1);
    if (padded > size) {
        out.ids.resize(padded, require(options.pad_token, where));
        out.token_type_ids.resize(padded, 0);
        out.attention_mask.resize(padded, 0);
        out.offsets.resize(padded);
        out.which_text.resize(padded, Source::None);
    }
    return out;
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

Encoding WordPiece::encode(std::string_view text, const EncodeOptions& options) const {
    constexpr std::string_view where = "WordPiece::encode";
    const std::size_t added = impl_->added_tokens(false, options);
    impl_->check_room(added, options, where);
    const Pieces pieces = impl_->tokenize(text);
    const std::size_t size = options.max_length ? std::min(pieces.size(), *options.max_length - added) : pieces.size();
    return impl_->assemble(pieces, size, nullptr, {}, options, where);
}

Encoding WordPiece::encode_pair(std::string_view first, std::string_view second, const EncodeOptions& options) const {
    constexpr std::string_view where = "WordPiece::encode_pair";
    const std::size_t added = impl_->added_tokens(true, options);
    impl_->check_room(added, options, where);
    const Pieces a = impl_->tokenize(first);
    const Pieces b = impl_->tokenize(second);
    std::size_t a_size = a.size();
    std::size_t b_size = b.size();
    if (options.max_length && a_size + b_size + added > *options.max_length) {
        const std::size_t room = *options.max_length - added;
        if (options.truncation == Truncation::LongestFirst) {
            std::tie(a_size, b_size) = longest_first(a_size, b_size, room);
        } else if (a_size < room) {
            b_size = room - a_size;
        } else {
            fail(
                where, "the first text has ", a_size, " tokens; with ", added, " special ones they leave max_length ",
                *options.max_length, " no room for the second; raise max_length or cut with LongestFirst");
        }
    }
    return impl_->assemble(a, a_size, &b, {0, b_size}, options, where);
}

std::vector<Encoding> WordPiece::encode_pair_windows(
    std::string_view question, std::string_view context, std::size_t max_length, std::size_t doc_stride,
    std::optional<std::size_t> pad_to) const {
    constexpr std::string_view where = "WordPiece::encode_pair_windows";
    const EncodeOptions options{.max_length = max_length, .pad_to = pad_to};
    const std::size_t added = impl_->added_tokens(true, options);
    if (max_length < added || max_length - added <= doc_stride) {
        fail(
            where, "doc_stride is ", doc_stride, "; it must be less than max_length ", max_length, " minus ", added,
            " special tokens");
    }
    const Pieces first = impl_->tokenize(question);
    const Pieces second = impl_->tokenize(context);
    std::vector<Encoding> windows;
    if (first.size() + second.size() + added <= max_length) {
        windows.push_back(impl_->assemble(first, first.size(), &second, {0, second.size()}, options, where));
        return windows;
    }
    const std::size_t taken = first.size() + added;
    if (taken >= max_length || max_length - taken <= doc_stride) {
        fail(
            where, "a window of ", max_length, " tokens less ", first.size(), " of the question and ", added,
            " special ones must hold more than doc_stride ", doc_stride,
            " tokens of the context; raise max_length, lower doc_stride or shorten the question");
    }
    const std::size_t room = max_length - taken;
    for (std::size_t begin = 0;; begin += room - doc_stride) {
        const std::size_t end = std::min(begin + room, second.size());
        windows.push_back(impl_->assemble(first, first.size(), &second, {begin, end}, options, where));
        if (end == second.size()) {
            return windows;
        }
    }
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

std::int32_t WordPiece::id(std::string_view token) const { return impl_->require(std::string(token), "WordPiece::id"); }

const std::string& WordPiece::token(std::int32_t id) const {
    if (id < 0 || static_cast<std::size_t>(id) >= vocab_size()) {
        fail("WordPiece::token", "id ", id, " is outside the vocabulary; ids are 0 to ", vocab_size() - 1);
    }
    return impl_->vocabulary.token(id);
}

bool WordPiece::is_special(std::int32_t id) const { return impl_->is_special(id); }

std::int32_t WordPiece::cls_id() const { return impl_->require(options().cls_token, "WordPiece::cls_id"); }
std::int32_t WordPiece::sep_id() const { return impl_->require(options().sep_token, "WordPiece::sep_id"); }
std::int32_t WordPiece::pad_id() const { return impl_->require(options().pad_token, "WordPiece::pad_id"); }
std::int32_t WordPiece::mask_id() const { return impl_->require(options().mask_token, "WordPiece::mask_id"); }
std::int32_t WordPiece::unk_id() const { return impl_->unk_id; }

const WordPieceOptions& WordPiece::options() const { return impl_->options; }

}  // namespace zoo::text
