// SPDX-License-Identifier: Apache-2.0
#include "zoo/text/sentences.hpp"

#include <unicode/brkiter.h>
#include <unicode/filteredbrk.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/utext.h>
#include <unicode/utf8.h>

#include <cstdint>
#include <limits>
#include <memory>

#include "zoo/error.hpp"

namespace zoo::text {
namespace {

constexpr std::string_view kWhere = "text::split_sentences";

struct CloseText {
    void operator()(UText* text) const { utext_close(text); }
};

void check(UErrorCode status, std::string_view what) {
    if (U_FAILURE(status)) {
        fail(kWhere, "ICU cannot ", what, ": ", u_errorName(status), "; check that ICU's data is installed");
    }
}

// Made anew for each call: ICU does not promise that a clone shares no state with its original.
std::unique_ptr<icu::BreakIterator> make_iterator() {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::FilteredBreakIteratorBuilder> filter(
        icu::FilteredBreakIteratorBuilder::createInstance(icu::Locale::getEnglish(), status));
    check(status, "load its abbreviations");
    // Titles and references that ICU's own list lacks.
    for (const char16_t* abbreviation :
         {u"Dr.", u"St.", u"Gen.", u"Lt.", u"Col.", u"Sgt.", u"Capt.", u"Rev.", u"Fig.", u"Eq.", u"Sec.", u"cf."}) {
        filter->suppressBreakAfter(abbreviation, status);
    }
    icu::BreakIterator* plain = icu::BreakIterator::createSentenceInstance(icu::Locale::getEnglish(), status);
    check(status, "make a sentence iterator");
    std::unique_ptr<icu::BreakIterator> filtered(filter->wrapIteratorWithFilter(plain, status));
    check(status, "filter its sentence iterator");
    return filtered;
}

Offset without_outer_space(std::string_view text, Offset range) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(text.data());
    auto begin = static_cast<std::int32_t>(range.begin);
    auto end = static_cast<std::int32_t>(range.end);
    while (begin < end) {
        std::int32_t next = begin;
        UChar32 c = 0;
        U8_NEXT(bytes, next, end, c);
        if (c < 0 || !u_isUWhiteSpace(c)) {
            break;
        }
        begin = next;
    }
    while (begin < end) {
        std::int32_t previous = end;
        UChar32 c = 0;
        U8_PREV(bytes, begin, previous, c);
        if (c < 0 || !u_isUWhiteSpace(c)) {
            break;
        }
        end = previous;
    }
    return {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
}

}  // namespace

std::vector<Offset> split_sentences(std::string_view utf8) {
    if (utf8.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
        fail(kWhere, "the text has ", utf8.size(), " bytes; ICU takes at most 2147483647; split it into parts");
    }
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> breaks = make_iterator();
    const std::unique_ptr<UText, CloseText> source(
        utext_openUTF8(nullptr, utf8.data(), static_cast<std::int64_t>(utf8.size()), &status));
    check(status, "read the text");
    breaks->setText(source.get(), status);
    check(status, "read the text");

    std::vector<Offset> sentences;
    std::int32_t begin = breaks->first();
    for (std::int32_t end = breaks->next(); end != icu::BreakIterator::DONE; begin = end, end = breaks->next()) {
        const Offset sentence =
            without_outer_space(utf8, {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)});
        if (sentence.begin < sentence.end) {
            sentences.push_back(sentence);
        }
    }
    return sentences;
}

}  // namespace zoo::text
