// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "zoo/text/offset.hpp"

namespace zoo::text::albert {

// UTF-8 text after ALBERT's normalisation, and for each of its bytes the bytes of the caller's text that it comes from.
struct Normalized {
    std::string text;
    std::vector<Offset> sources;
};

// What Hugging Face's AlbertTokenizer does to a text before SentencePiece sees it: lower case character by character;
// white space squeezed and stripped; `` and '' to "; compatibility decomposition and no combining marks, unless accents
// are kept; lower case again. `base` is where the text starts in the caller's string.
[[nodiscard]] Normalized normalize(std::string_view text, std::size_t base, bool lower_case, bool keep_accents);

// Python's str.isdigit() of one character.
[[nodiscard]] bool is_digit(char32_t c);

// The last two characters of a UTF-8 string; 0 where there are fewer.
struct LastTwo {
    char32_t before_last = 0;
    char32_t last = 0;
};
[[nodiscard]] LastTwo last_two(std::string_view text);

}  // namespace zoo::text::albert
