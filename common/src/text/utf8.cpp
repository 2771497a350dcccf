// SPDX-License-Identifier: Apache-2.0
#include "utf8.hpp"

#include <algorithm>
#include <cstdint>

namespace zoo::text {
namespace {

struct Lead {
    std::size_t length = 0;   // of the whole character; 0 for a byte that begins none
    std::uint8_t low = 0x80;  // bounds of the second byte
    std::uint8_t high = 0xBF;
};

Lead lead_of(std::uint8_t byte) {
    if (byte < 0x80) {
        return {.length = 1};
    }
    if (byte >= 0xC2 && byte <= 0xDF) {
        return {.length = 2};
    }
    if (byte >= 0xE0 && byte <= 0xEF) {
        return {
            .length = 3,
            .low = static_cast<std::uint8_t>(byte == 0xE0 ? 0xA0 : 0x80),
            .high = static_cast<std::uint8_t>(byte == 0xED ? 0x9F : 0xBF)};
    }
    if (byte >= 0xF0 && byte <= 0xF4) {
        return {
            .length = 4,
            .low = static_cast<std::uint8_t>(byte == 0xF0 ? 0x90 : 0x80),
            .high = static_cast<std::uint8_t>(byte == 0xF4 ? 0x8F : 0xBF)};
    }
    return {};
}

// The longest beginning of a character at the front of `bytes`, and whether it is whole. At least one byte.
struct Piece {
    std::size_t length;
    bool whole;
    bool cut_short;  // the bytes end where more could follow
};

Piece piece_at(std::string_view bytes) {
    const Lead lead = lead_of(static_cast<std::uint8_t>(bytes.front()));
    if (lead.length == 0) {
        return {1, false, false};
    }
    std::size_t length = 1;
    while (length < lead.length && length < bytes.size()) {
        const auto byte = static_cast<std::uint8_t>(bytes[length]);
        const bool fits = length == 1 ? byte >= lead.low && byte <= lead.high : (byte & 0xC0U) == 0x80U;
        if (!fits) {
            return {length, false, false};
        }
        ++length;
    }
    return {length, length == lead.length, length < lead.length};
}

}  // namespace

std::string valid_utf8(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size());
    while (!bytes.empty()) {
        const Piece piece = piece_at(bytes);
        text += piece.whole ? bytes.substr(0, piece.length) : kReplacement;
        bytes.remove_prefix(piece.length);
    }
    return text;
}

std::size_t unfinished_tail(std::string_view bytes) {
    for (std::size_t tail = std::min<std::size_t>(3, bytes.size()); tail > 0; --tail) {
        const Piece piece = piece_at(bytes.substr(bytes.size() - tail));
        if (piece.cut_short && piece.length == tail) {
            return tail;
        }
    }
    return 0;
}

}  // namespace zoo::text
