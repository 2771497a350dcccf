// SPDX-License-Identifier: Apache-2.0
#include "bert_characters.hpp"

#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/utf16.h>

#include <cassert>
#include <cstdint>

namespace zoo::text::bert {
namespace {

constexpr int kCategoryVersion = 8;
constexpr int kNormalizationVersion = 9;

bool is_younger_than(char32_t c, int unicode_version) {
    UVersionInfo age;
    u_charAge(static_cast<UChar32>(c), age);
    return age[0] == 0 || age[0] > unicode_version;
}

bool has_category(char32_t c, std::uint32_t categories) {
    return (U_GET_GC_MASK(static_cast<UChar32>(c)) & categories) != 0 && !is_younger_than(c, kCategoryVersion);
}

// Capital letters of Unicode 16 and 17, for an ICU that is older: first, last, and the distance to the small letter.
struct LowerRange {
    char32_t first, last;
    std::int32_t distance;
};
constexpr LowerRange kYoungCapitals[] = {
    {0x1C89, 0x1C89, 1},      {0xA7CB, 0xA7CB, 0x264 - 0xA7CB},
    {0xA7CC, 0xA7CC, 1},      {0xA7CE, 0xA7CE, 1},
    {0xA7D2, 0xA7D2, 1},      {0xA7D4, 0xA7D4, 1},
    {0xA7DA, 0xA7DA, 1},      {0xA7DC, 0xA7DC, 0x19B - 0xA7DC},
    {0x10D50, 0x10D65, 0x20}, {0x16EA0, 0x16EB8, 0x1B},
};

const UNormalizer2* nfd() {
    static const UNormalizer2* const instance = [] {
        UErrorCode status = U_ZERO_ERROR;
        const UNormalizer2* found = unorm2_getNFDInstance(&status);
        assert(U_SUCCESS(status));
        return found;
    }();
    return instance;
}

}  // namespace

bool is_removed(char32_t c) {
    if (c == U'\t' || c == U'\n' || c == U'\r') {
        return false;
    }
    if (c == 0xFFFD) {
        return true;
    }
    return has_category(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK);
}

bool is_space(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

bool is_punctuation(char32_t c) {
    if (c < 0x80) {
        // All ASCII symbols count, also those that Unicode calls symbols, such as + and $.
        return (c >= 0x21 && c <= 0x2F) || (c >= 0x3A && c <= 0x40) || (c >= 0x5B && c <= 0x60) ||
               (c >= 0x7B && c <= 0x7E);
    }
    // The two were punctuation in Unicode 8.
    return c == 0x166D || c == 0x111C9 || has_category(c, U_GC_P_MASK);
}

bool is_chinese(char32_t c) {
    // 2B820..2B91F is an ideographs' range too, but `tokenizers` lacks it.
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0xF900 && c <= 0xFAFF) ||
           (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) ||
           (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool is_accent(char32_t c) {
    // These changed category after Unicode 8.
    if (c == 0x1734) {
        return true;
    }
    if (c == 0x1885 || c == 0x1886 || c == 0xA9BD || c == 0x111C9) {
        return false;
    }
    return has_category(c, U_GC_MN_MASK);
}

char32_t to_lower(char32_t c) {
    const auto lower = static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
    if (lower == c && c >= 0x1C89) {
        for (const LowerRange& range : kYoungCapitals) {
            if (c >= range.first && c <= range.last) {
                return static_cast<char32_t>(static_cast<std::int32_t>(c) + range.distance);
            }
        }
    }
    return lower;
}

bool is_inert(char32_t c) { return unorm2_isInert(nfd(), static_cast<UChar32>(c)) != 0; }

int combining_class(char32_t c) {
    const int value = u_getCombiningClass(static_cast<UChar32>(c));
    return value == 0 || is_younger_than(c, kNormalizationVersion) ? 0 : value;
}

int decompose(char32_t c, char32_t (&out)[4]) {
    UErrorCode status = U_ZERO_ERROR;
    UChar units[16];
    const std::int32_t length = unorm2_getDecomposition(nfd(), static_cast<UChar32>(c), units, 16, &status);
    if (length < 0 || U_FAILURE(status) || is_younger_than(c, kNormalizationVersion)) {
        return 0;
    }
    int count = 0;
    for (std::int32_t i = 0; i < length;) {
        UChar32 part = 0;
        U16_NEXT(units, i, length, part);
        assert(count < 4);
        out[count++] = static_cast<char32_t>(part);
    }
    return count;
}

}  // namespace zoo::text::bert
