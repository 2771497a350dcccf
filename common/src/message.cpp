// SPDX-License-Identifier: Apache-2.0
#include "message.hpp"

#include <algorithm>
#include <cmath>

#include "zoo/error.hpp"

namespace zoo {

std::string in_quotes(std::string_view text, std::size_t limit) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string result = "'";
    for (const char letter : text.substr(0, limit)) {
        const auto code = static_cast<unsigned char>(letter);
        if (code >= 0x20 && code < 0x7F) {
            result += letter;
        } else {
            result += {'\\', 'x', kDigits[code >> 4U], kDigits[code & 0xFU]};
        }
    }
    return result + (text.size() > limit ? "...'" : "'");
}

std::string listed(std::span<const std::string> items, std::size_t limit) {
    std::string result;
    const std::size_t shown = std::min(items.size(), limit);
    for (std::size_t i = 0; i < shown; ++i) {
        result += (i == 0 ? "" : ", ") + items[i];
    }
    if (items.size() > shown) {
        result += " and " + std::to_string(items.size() - shown) + " more";
    }
    return result;
}

void require_finite(
    std::string_view where, std::string_view source, std::string_view place, std::span<const float> weights) {
    const auto wrong = std::ranges::find_if(weights, [](float value) { return !std::isfinite(value); });
    if (wrong != weights.end()) {
        fail(where, source, " holds ", *wrong, " in ", place, "; weights must be finite");
    }
}

}  // namespace zoo
