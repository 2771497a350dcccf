// SPDX-License-Identifier: Apache-2.0
#include "bert_words.hpp"

#include <unicode/utf8.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "bert_characters.hpp"

namespace zoo::text::bert {
namespace {

enum class Ascii : std::uint8_t { Removed, Space, Punctuation, Other };

const std::array<Ascii, 0x80>& ascii_kinds() {
    static const std::array<Ascii, 0x80> kinds = [] {
        std::array<Ascii, 0x80> table{};
        for (char32_t c = 0; c < 0x80; ++c) {
            table[c] = is_removed(c)       ? Ascii::Removed
                       : is_space(c)       ? Ascii::Space
                       : is_punctuation(c) ? Ascii::Punctuation
                                           : Ascii::Other;
        }
        return table;
    }();
    return kinds;
}

}  // namespace

WordReader::WordReader(const NormalizeOptions& options, Sink sink) : options_(options), sink_(std::move(sink)) {
    word_.reserve(options.max_word_chars + 1);
}

void WordReader::read(std::string_view text, std::size_t base) {
    const auto& kinds = ascii_kinds();
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    const auto size = static_cast<std::int64_t>(text.size());
    for (std::int64_t i = 0; i < size;) {
        const std::size_t begin = base + static_cast<std::size_t>(i);
        if (bytes[i] < 0x80) {
            char32_t c = bytes[i++];
            const Ascii kind = kinds[c];
            if (kind == Ascii::Removed) {
                continue;
            }
            order_marks();
            if (kind == Ascii::Other) {
                c = options_.lower_case && c >= U'A' && c <= U'Z' ? c + 0x20 : c;
                add_to_word(c, {begin, begin + 1});
                continue;
            }
            end_word();
            if (kind == Ascii::Punctuation) {
                add_to_word(c, {begin, begin + 1});
                end_word();
            }
            continue;
        }
        UChar32 decoded = 0;
        U8_NEXT(bytes, i, size, decoded);
        const auto c = static_cast<char32_t>(decoded);
        if (decoded < 0 || is_removed(c)) {
            continue;
        }
        const Offset source{begin, base + static_cast<std::size_t>(i)};
        const bool space = is_space(c);
        const bool alone = options_.split_chinese && is_chinese(c);
        if (alone || space) {
            order_marks();
            end_word();
        }
        if (space) {
            continue;
        }
        options_.strip_accents ? add_decomposed(c, source) : add(c, source);
        if (alone) {
            end_word();
        }
    }
    order_marks();
    end_word();
}

void WordReader::add_decomposed(char32_t c, Offset source) {
    if (is_inert(c)) {
        order_marks();
        add(c, source);
        last_source_ = source;
        return;
    }
    char32_t parts[4] = {c};
    const int count = std::max(decompose(c, parts), 1);
    for (int i = 0; i < count; ++i) {
        const int combining = combining_class(parts[i]);
        if (combining == 0) {
            order_marks();
            add(parts[i], source);
            last_source_ = source;
            continue;
        }
        marks_.push_back({combining, parts[i], i == 0});
        if (i == 0) {
            mark_sources_.push_back(source);
        }
    }
}

void WordReader::order_marks() {
    if (marks_.empty()) {
        return;
    }
    // Nearly all texts have their marks in order, and a stable sort allocates.
    if (!std::ranges::is_sorted(marks_, {}, &Mark::combining_class)) {
        std::ranges::stable_sort(marks_, {}, &Mark::combining_class);
    }
    // As in `tokenizers`, sources are dealt out in the order of the text, not carried along by the sort.
    std::size_t next = 0;
    for (const Mark& mark : marks_) {
        if (mark.first) {
            last_source_ = mark_sources_[next++];
        }
        add(mark.code, last_source_);
    }
    marks_.clear();
    mark_sources_.clear();
}

void WordReader::add(char32_t c, Offset source) {
    if (options_.strip_accents && is_accent(c)) {
        return;
    }
    if (is_punctuation(c)) {
        end_word();
        add_to_word(c, source);
        end_word();
        return;
    }
    if (!options_.lower_case) {
        add_to_word(c, source);
    } else if (c == 0x130) {
        add_to_word(U'i', source);
        add_to_word(0x307, source);
    } else {
        add_to_word(to_lower(c), source);
    }
}

void WordReader::add_to_word(char32_t c, Offset source) {
    if (word_.size() <= options_.max_word_chars) {
        word_.push_back({c, source});
    } else {
        word_.back().source.end = source.end;
    }
}

void WordReader::end_word() {
    if (!word_.empty()) {
        sink_(word_);
        word_.clear();
    }
}

}  // namespace zoo::text::bert
