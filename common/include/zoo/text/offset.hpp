// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

namespace zoo::text {

// A range of bytes [begin, end) of a UTF-8 string that the caller holds.
struct Offset {
    std::size_t begin = 0;
    std::size_t end = 0;

    friend bool operator==(const Offset&, const Offset&) = default;
};

[[nodiscard]] inline std::string_view slice(std::string_view text, Offset range) {
    return text.substr(range.begin, range.end - range.begin);
}

}  // namespace zoo::text
