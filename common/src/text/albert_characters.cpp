// SPDX-License-Identifier: Apache-2.0
#include "albert_characters.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <array>
#include <cassert>
#include <cstdint>

namespace zoo::text::albert {
namespace {

constexpr char32_t kSigma = 0x03A3;
constexpr char32_t kReplacement = 0xFFFD;

struct Char {
    char32_t code;
    Offset source;
};
using Chars = std::vector<Char>;

Chars decode(std::string_view text, std::size_t base) {
    Chars out;
    out.reserve(text.size());
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    const auto size = static_cast<std::int64_t>(text.size());
    for (std::int64_t i = 0; i < size;) {
        const std::int64_t begin = i;
        UChar32 code = 0;
        U8_NEXT(bytes, i, size, code);
        out.push_back(
            {code < 0 ? kReplacement : static_cast<char32_t>(code),
             {base + static_cast<std::size_t>(begin), base + static_cast<std::size_t>(i)}});
    }
    return out;
}

// Python's str.isspace().
bool is_space(char32_t c) {
    return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
           (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

// All characters of a UTF-16 string, with one source.
void append(Chars& out, const UChar* text, std::int32_t length, Offset source) {
    for (std::int32_t i = 0; i < length;) {
        UChar32 code = 0;
        U16_NEXT(text, i, length, code);
        out.push_back({static_cast<char32_t>(code), source});
    }
}

// The full mapping of one character without its neighbours: U+0130 becomes two.
void append_lower(Chars& out, const Char& c) {
    std::array<UChar, 2> from{};
    std::int32_t length = 0;
    UBool error = false;
    U16_APPEND(from.data(), length, static_cast<std::int32_t>(from.size()), static_cast<UChar32>(c.code), error);
    std::array<UChar, 8> to{};
    UErrorCode status = U_ZERO_ERROR;
    const std::int32_t written =
        error ? 0 : u_strToLower(to.data(), static_cast<std::int32_t>(to.size()), from.data(), length, "", &status);
    if (error || U_FAILURE(status)) {
        out.push_back(c);
        return;
    }
    append(out, to.data(), written, c.source);
}

Chars lower_each(const Chars& text) {
    Chars out;
    out.reserve(text.size());
    for (const Char& c : text) {
        append_lower(out, c);
    }
    return out;
}

// Whether a cased letter follows `step` from `at`, over what casing ignores.
bool cased_beside(const Chars& text, std::size_t at, std::ptrdiff_t step) {
    for (auto i = static_cast<std::ptrdiff_t>(at) + step; i >= 0 && i < std::ssize(text); i += step) {
        const auto code = static_cast<UChar32>(text[static_cast<std::size_t>(i)].code);
        if (!u_hasBinaryProperty(code, UCHAR_CASE_IGNORABLE)) {
            return u_hasBinaryProperty(code, UCHAR_CASED) != 0;
        }
    }
    return false;
}

// As a whole: a sigma at the end of a word has a form of its own.
Chars lower_text(const Chars& text) {
    Chars out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i].code == kSigma) {
            const bool final = cased_beside(text, i, -1) && !cased_beside(text, i, 1);
            out.push_back({final ? U'\u03C2' : U'\u03C3', text[i].source});
        } else {
            append_lower(out, text[i]);
        }
    }
    return out;
}

Chars squeeze_spaces(const Chars& text) {
    Chars out;
    out.reserve(text.size());
    for (const Char& c : text) {
        if (!is_space(c.code)) {
            out.push_back(c);
        } else if (!out.empty() && out.back().code != U' ') {
            out.push_back({U' ', c.source});
        }
    }
    if (!out.empty() && out.back().code == U' ') {
        out.pop_back();
    }
    return out;
}

// Two marks in a row become one double quote, from the left.
Chars replace_pairs(const Chars& text, char32_t mark) {
    Chars out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i].code == mark && i + 1 < text.size() && text[i + 1].code == mark) {
            out.push_back({U'"', {text[i].source.begin, text[i + 1].source.end}});
            ++i;
        } else {
            out.push_back(text[i]);
        }
    }
    return out;
}

const UNormalizer2* nfkd() {
    static const UNormalizer2* const instance = [] {
        UErrorCode status = U_ZERO_ERROR;
        const UNormalizer2* found = unorm2_getNFKDInstance(&status);
        assert(U_SUCCESS(status));
        return found;
    }();
    return instance;
}

// The order of marks does not matter, since all of them go.
Chars decompose_and_strip(const Chars& text) {
    Chars parts;
    parts.reserve(text.size());
    for (const Char& c : text) {
        std::array<UChar, 64> buffer{};
        UErrorCode status = U_ZERO_ERROR;
        const std::int32_t length = unorm2_getDecomposition(
            nfkd(), static_cast<UChar32>(c.code), buffer.data(), static_cast<std::int32_t>(buffer.size()), &status);
        if (length < 0 || U_FAILURE(status)) {
            parts.push_back(c);
        } else {
            append(parts, buffer.data(), length, c.source);
        }
    }
    std::erase_if(parts, [](const Char& c) { return u_getCombiningClass(static_cast<UChar32>(c.code)) != 0; });
    return parts;
}

Normalized encode(const Chars& text) {
    Normalized out;
    out.text.reserve(text.size());
    for (const Char& c : text) {
        std::array<std::uint8_t, 4> bytes{};
        std::int32_t length = 0;
        UBool error = false;
        U8_APPEND(bytes.data(), length, static_cast<std::int32_t>(bytes.size()), static_cast<UChar32>(c.code), error);
        out.text.append(reinterpret_cast<const char*>(bytes.data()), static_cast<std::size_t>(error ? 0 : length));
        out.sources.resize(out.text.size(), c.source);
    }
    return out;
}

}  // namespace

Normalized normalize(std::string_view text, std::size_t base, bool lower_case, bool keep_accents) {
    Chars chars = decode(text, base);
    if (lower_case) {
        chars = lower_each(chars);
    }
    chars = replace_pairs(replace_pairs(squeeze_spaces(chars), U'`'), U'\'');
    if (!keep_accents) {
        chars = decompose_and_strip(chars);
    }
    if (lower_case) {
        chars = lower_text(chars);
    }
    return encode(chars);
}

bool is_digit(char32_t c) {
    const int type = u_getIntPropertyValue(static_cast<UChar32>(c), UCHAR_NUMERIC_TYPE);
    return type == U_NT_DECIMAL || type == U_NT_DIGIT;
}

LastTwo last_two(std::string_view text) {
    LastTwo out;
    for (const Char& c : decode(text, 0)) {
        out = {out.last, c.code};
    }
    return out;
}

}  // namespace zoo::text::albert
