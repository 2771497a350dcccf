// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "zoo/text/offset.hpp"

namespace zoo::text {

// The sentences of a text in order, by Unicode's sentence boundaries (UAX 29), less the breaks after common English
// abbreviations such as "Mr.". A line break ends a sentence. White space around a sentence is left out, and what is
// only white space gives no sentence. Bytes that are not UTF-8 count as one unknown character each.
[[nodiscard]] std::vector<Offset> split_sentences(std::string_view utf8);

}  // namespace zoo::text
