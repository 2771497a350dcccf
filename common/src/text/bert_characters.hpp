// SPDX-License-Identifier: Apache-2.0
#pragma once

// What BERT's tokenizer asks about one character, with the answers of Hugging Face's `tokenizers` library. That library
// classifies by Unicode 8.0 and decomposes by Unicode 9.0, whatever the age of the character; a model was trained on
// its answers, so they are kept here, for any version of ICU.
namespace zoo::text::bert {

// Dropped from a text: control, format and private-use characters and U+FFFD.
[[nodiscard]] bool is_removed(char32_t c);
[[nodiscard]] bool is_space(char32_t c);
// A word of its own.
[[nodiscard]] bool is_punctuation(char32_t c);
// A CJK ideograph, which is a word of its own where tokenize_chinese_chars is set.
[[nodiscard]] bool is_chinese(char32_t c);
// Category Mn: what strip_accents strips.
[[nodiscard]] bool is_accent(char32_t c);
// One character to one; only U+0130 has a longer lower case ("i" and U+0307), which the caller handles.
[[nodiscard]] char32_t to_lower(char32_t c);

// True if NFD leaves c and its neighbours alone: class 0, no decomposition. Quick; false may also be said of such a c.
[[nodiscard]] bool is_inert(char32_t c);
// The combining class, which orders marks in NFD.
[[nodiscard]] int combining_class(char32_t c);
// The full canonical decomposition into out, 4 characters at most; the count, or 0 if c stands for itself.
[[nodiscard]] int decompose(char32_t c, char32_t (&out)[4]);

}  // namespace zoo::text::bert
