// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/tokenizer.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "message.hpp"
#include "zoo/error.hpp"

namespace zoo::text {
namespace {

// How many tokens of each text of a pair fit into `room`, if the longer one is cut first. The odd token of an even
// split goes to the longer text.
std::pair<std::size_t, std::size_t> longest_first(std::size_t first, std::size_t second, std::size_t room) {
    const std::size_t shorter = std::min({first, second, room / 2});
    const std::size_t longer = room - shorter;
    return first <= second ? std::pair{shorter, longer} : std::pair{longer, shorter};
}

std::size_t added_tokens(bool pair, const EncodeOptions& options) {
    return !options.add_special_tokens ? 0 : pair ? 3 : 2;
}

// Leaves `size` pieces: the first ones, or as many of the end as of the beginning.
void cut(Pieces& pieces, std::size_t size, Truncation truncation) {
    const std::size_t head = truncation == Truncation::HeadAndTail ? size / 2 : size;
    const auto erase = [&](auto& values) {
        const auto begin = values.begin() + static_cast<std::ptrdiff_t>(head);
        values.erase(begin, begin + static_cast<std::ptrdiff_t>(values.size() - size));
    };
    erase(pieces.ids);
    erase(pieces.offsets);
}

}  // namespace

std::string Tokenizer::where(std::string_view function) const {
    return std::string(name()) + "::" + std::string(function);
}

std::int32_t Tokenizer::require(std::string_view token, std::string_view function) const {
    const auto found = find_id(token);
    if (!found) {
        fail(
            where(function), "the vocabulary of ", vocab_size(), " tokens has no ", in_quotes(token),
            "; this call needs it");
    }
    return *found;
}

Encoding Tokenizer::assemble(
    const Pieces& first, const Pieces* second, Offset second_range, bool truncated, const EncodeOptions& options,
    std::string_view function) const {
    const std::size_t second_size = second_range.end - second_range.begin;
    const std::size_t size = first.size() + second_size + added_tokens(second != nullptr, options);
    if (options.pad_to && size > *options.pad_to) {
        fail(where(function), size, " tokens do not fit pad_to ", *options.pad_to, "; set max_length to cut the text");
    }
    const std::size_t padded = std::max(size, options.pad_to.value_or(0));
    Encoding out;
    out.truncated = truncated || (second != nullptr && second_size < second->size());
    out.ids.reserve(padded);
    out.token_type_ids.reserve(padded);
    out.offsets.reserve(padded);
    out.which_text.reserve(padded);
    std::int32_t type = 0;
    const auto add = [&](std::int32_t token_id, Offset offset, Source source) {
        out.ids.push_back(token_id);
        out.token_type_ids.push_back(type);
        out.offsets.push_back(offset);
        out.which_text.push_back(source);
    };
    const auto add_special = [&](std::string_view token_name) {
        if (options.add_special_tokens) {
            add(require(token_name, function), {}, Source::None);
        }
    };
    add_special(special_names().cls);
    for (std::size_t i = 0; i < first.size(); ++i) {
        add(first.ids[i], first.offsets[i], Source::First);
    }
    add_special(special_names().sep);
    if (second != nullptr) {
        type = 1;
        for (std::size_t i = second_range.begin; i < second_range.end; ++i) {
            add(second->ids[i], second->offsets[i], Source::Second);
        }
        add_special(special_names().sep);
    }
    out.attention_mask.assign(size, 1);
    if (padded > size) {
        out.ids.resize(padded, require(special_names().pad, function));
        out.token_type_ids.resize(padded, 0);
        out.attention_mask.resize(padded, 0);
        out.offsets.resize(padded);
        out.which_text.resize(padded, Source::None);
    }
    return out;
}

Encoding Tokenizer::encode(std::string_view text, const EncodeOptions& options) const {
    constexpr std::string_view function = "encode";
    const std::size_t added = added_tokens(false, options);
    if (options.max_length && *options.max_length < added) {
        fail(where(function), "max_length is ", *options.max_length, "; the special tokens alone are ", added);
    }
    Pieces pieces = tokenize(text);
    const bool truncated = options.max_length && pieces.size() + added > *options.max_length;
    if (truncated) {
        cut(pieces, *options.max_length - added, options.truncation);
    }
    return assemble(pieces, nullptr, {}, truncated, options, function);
}

Encoding Tokenizer::encode_pair(std::string_view first, std::string_view second, const EncodeOptions& options) const {
    constexpr std::string_view function = "encode_pair";
    const std::size_t added = added_tokens(true, options);
    if (options.max_length && *options.max_length < added) {
        fail(where(function), "max_length is ", *options.max_length, "; the special tokens alone are ", added);
    }
    Pieces a = tokenize(first);
    const Pieces b = tokenize(second);
    std::size_t a_size = a.size();
    std::size_t b_size = b.size();
    if (options.max_length && a_size + b_size + added > *options.max_length) {
        const std::size_t room = *options.max_length - added;
        if (options.truncation != Truncation::OnlySecond) {
            std::tie(a_size, b_size) = longest_first(a_size, b_size, room);
        } else if (a_size < room) {
            b_size = room - a_size;
        } else {
            fail(
                where(function), "the first text has ", a_size, " tokens; with ", added,
                " special ones they leave max_length ", *options.max_length,
                " no room for the second; raise max_length or cut with LongestFirst");
        }
    }
    const bool truncated = a_size < a.size();
    cut(a, a_size, Truncation::LongestFirst);
    return assemble(a, &b, {0, b_size}, truncated, options, function);
}

std::vector<Encoding> Tokenizer::encode_pair_windows(
    std::string_view question, std::string_view context, std::size_t max_length, std::size_t doc_stride,
    std::optional<std::size_t> pad_to) const {
    constexpr std::string_view function = "encode_pair_windows";
    const EncodeOptions options{.max_length = max_length, .pad_to = pad_to};
    const std::size_t added = added_tokens(true, options);
    if (max_length < added || max_length - added <= doc_stride) {
        fail(
            where(function), "doc_stride is ", doc_stride, "; it must be less than max_length ", max_length, " minus ",
            added, " special tokens");
    }
    const Pieces first = tokenize(question);
    const Pieces second = tokenize(context);
    std::vector<Encoding> windows;
    if (first.size() + second.size() + added <= max_length) {
        windows.push_back(assemble(first, &second, {0, second.size()}, false, options, function));
        return windows;
    }
    const std::size_t taken = first.size() + added;
    if (taken >= max_length || max_length - taken <= doc_stride) {
        fail(
            where(function), "a window of ", max_length, " tokens less ", first.size(), " of the question and ", added,
            " special ones must hold more than doc_stride ", doc_stride,
            " tokens of the context; raise max_length, lower doc_stride or shorten the question");
    }
    const std::size_t room = max_length - taken;
    for (std::size_t begin = 0;; begin += room - doc_stride) {
        const std::size_t end = std::min(begin + room, second.size());
        windows.push_back(assemble(first, &second, {begin, end}, false, options, function));
        if (end == second.size()) {
            return windows;
        }
    }
}

std::int32_t Tokenizer::id(std::string_view token) const { return require(token, "id"); }
std::int32_t Tokenizer::cls_id() const { return require(special_names().cls, "cls_id"); }
std::int32_t Tokenizer::sep_id() const { return require(special_names().sep, "sep_id"); }
std::int32_t Tokenizer::pad_id() const { return require(special_names().pad, "pad_id"); }
std::int32_t Tokenizer::mask_id() const { return require(special_names().mask, "mask_id"); }

}  // namespace zoo::text
