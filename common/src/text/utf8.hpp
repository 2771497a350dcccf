// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace zoo::text {

inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The text with U+FFFD for each longest beginning of a character that is not one: Python's errors="replace".
[[nodiscard]] std::string valid_utf8(std::string_view bytes);

// How many bytes at the end begin a character that more bytes could finish.
[[nodiscard]] std::size_t unfinished_tail(std::string_view bytes);

}  // namespace zoo::text
