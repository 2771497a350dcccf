// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace zoo {

// Text out of a file, made fit for one line of an error message: in single quotes, with anything but printable ASCII
// escaped, cut after `limit` characters.
[[nodiscard]] std::string in_quotes(std::string_view text, std::size_t limit = 120);

// "a, b, c and 4 more": the first `limit` items.
[[nodiscard]] std::string listed(std::span<const std::string> items, std::size_t limit = 8);

// Error that names the first weight in `place` of `source` that is infinite or no number.
void require_finite(
    std::string_view where, std::string_view source, std::string_view place, std::span<const float> weights);

}  // namespace zoo
