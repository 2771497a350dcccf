// SPDX-License-Identifier: Apache-2.0
#pragma once

// From texts to an encoder's inputs, and from its outputs to answers. Host code only.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "zoo/encoder/inputs.hpp"
#include "zoo/text/wordpiece.hpp"

namespace zoo::encoder {

// Encodings of equal length as one batch. Error when lengths differ or there are none.
[[nodiscard]] Inputs to_inputs(std::span<const text::Encoding> encodings);

// The next multiple of 32 tokens, which is what TTNN pads a sequence to.
[[nodiscard]] std::size_t padded_length(std::size_t tokens);

struct Answer {
    text::Offset span;  // bytes of the context; empty when the model finds that there is no answer
    double score = 0;   // start logit plus end logit
    double margin = 0;  // score less that of "no answer"
};

// The best span of a window. `logits` are [sequence, 2]: start and end. A span lies in the second text, ends where or after it starts
// and has at most max_tokens tokens.
[[nodiscard]] Answer best_answer(
    std::span<const float> logits, const text::Encoding& encoding, std::size_t max_tokens = 30);

struct Word {
    std::int32_t id = 0;
    double probability = 0;
};

// The likeliest words of one position, by softmax over `logits` [vocab_size].
[[nodiscard]] std::vector<Word> likeliest_words(std::span<const float> logits, std::size_t count);

// Of vectors that need not have length 1; 0 for a zero vector.
[[nodiscard]] double cosine(std::span<const float> a, std::span<const float> b);

struct RankedSentence {
    text::Offset span;  // bytes of the text
    double score = 0;   // cosine to the question
};

// Sentences by likeness to the question, the best first; equal scores keep the order of the text. `embeddings` are
// [1 + sentences, width]: the question's, then one a sentence.
[[nodiscard]] std::vector<RankedSentence> rank(
    std::span<const float> embeddings, std::size_t width, std::span<const text::Offset> sentences);

}  // namespace zoo::encoder
