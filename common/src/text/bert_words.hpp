// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "zoo/text/offset.hpp"

namespace zoo::text::bert {

// A character after normalisation, and the bytes of the caller's text that it comes from.
struct Char {
    char32_t code;
    Offset source;
};

struct NormalizeOptions {
    bool lower_case;
    bool strip_accents;
    bool split_chinese;
    std::size_t max_word_chars;
};

// Cleans, decomposes, strips, lower-cases and splits a text into words, in one pass and in constant memory.
class WordReader {
public:
    // word: at most max_word_chars + 1 characters, where the last one then stands for all that follow.
    using Sink = std::function<void(std::span<const Char> word)>;

    WordReader(const NormalizeOptions& options, Sink sink);

    // text starts at byte `base` of the caller's string. The end of text ends a word.
    void read(std::string_view text, std::size_t base);

private:
    struct Mark {
        int combining_class;
        char32_t code;
        bool first;  // of the marks that one character of the text decomposes into
    };

    void add_decomposed(char32_t c, Offset source);
    void order_marks();
    void add(char32_t c, Offset source);
    void add_to_word(char32_t c, Offset source);
    void end_word();

    NormalizeOptions options_;
    Sink sink_;
    std::vector<Char> word_;
    // Marks after a base character, to be put in order, and the sources of the characters they come from.
    std::vector<Mark> marks_;
    std::vector<Offset> mark_sources_;
    Offset last_source_;
};

}  // namespace zoo::text::bert
