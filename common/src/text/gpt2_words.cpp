// SPDX-License-Identifier: Apache-2.0
#include "gpt2_words.hpp"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <array>
#include <cstdint>

namespace zoo::text {
namespace {

enum class Class { End, Letter, Number, Space, Other };

struct Character {
    Class kind = Class::End;
    std::size_t next = 0;  // where the one behind begins
};

Character at(std::string_view text, std::size_t place) {
    if (place >= text.size()) {
        return {Class::End, place};
    }
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    auto next = static_cast<std::int64_t>(place);
    UChar32 c = 0;
    U8_NEXT(bytes, next, static_cast<std::int64_t>(text.size()), c);
    const auto end = static_cast<std::size_t>(next);
    if (c >= 0 && u_isUWhiteSpace(c)) {
        return {Class::Space, end};
    }
    const std::uint32_t category = c < 0 ? 0U : U_GET_GC_MASK(c);
    if ((category & U_GC_L_MASK) != 0) {
        return {Class::Letter, end};
    }
    return {(category & U_GC_N_MASK) != 0 ? Class::Number : Class::Other, end};
}

std::size_t end_of_run(std::string_view text, std::size_t place, Class kind) {
    for (Character c = at(text, place); c.kind == kind; c = at(text, place)) {
        place = c.next;
    }
    return place;
}

std::size_t contraction(std::string_view text, std::size_t place) {
    static constexpr std::array<std::string_view, 7> kEndings{"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"};
    for (const std::string_view ending : kEndings) {
        if (text.substr(place).starts_with(ending)) {
            return place + ending.size();
        }
    }
    return place;
}

// White space keeps its last character for the word behind it, unless the text ends.
std::size_t end_of_space(std::string_view text, std::size_t place) {
    std::size_t last = place;
    std::size_t end = place;
    for (Character c = at(text, end); c.kind == Class::Space; c = at(text, end)) {
        last = end;
        end = c.next;
    }
    return end == text.size() || last == place ? end : last;
}

std::size_t end_of_word(std::string_view text, std::size_t place) {
    if (const std::size_t end = contraction(text, place); end > place) {
        return end;
    }
    const std::size_t start = text[place] == ' ' ? place + 1 : place;
    const Class kind = at(text, start).kind;
    if (kind != Class::Space && kind != Class::End) {
        return end_of_run(text, start, kind);
    }
    return end_of_space(text, place);
}

}  // namespace

void for_each_gpt2_word(std::string_view text, const std::function<void(std::string_view)>& use) {
    for (std::size_t place = 0; place < text.size();) {
        const std::size_t end = end_of_word(text, place);
        use(text.substr(place, end - place));
        place = end;
    }
}

}  // namespace zoo::text
