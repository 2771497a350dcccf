// SPDX-License-Identifier: Apache-2.0
#include "zoo/encoder/answers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "zoo/error.hpp"
#include "zoo/top_k.hpp"

namespace zoo::encoder {

Inputs to_inputs(std::span<const text::Encoding> encodings) {
    if (encodings.empty()) {
        fail("encoder::to_inputs", "there are no encodings; a batch has at least one");
    }
    Inputs inputs;
    inputs.batch = static_cast<std::int64_t>(encodings.size());
    inputs.sequence = static_cast<std::int64_t>(encodings.front().size());
    for (const text::Encoding& encoding : encodings) {
        if (encoding.size() != encodings.front().size()) {
            fail(
                "encoder::to_inputs", "encodings of ", encodings.front().size(), " and of ", encoding.size(),
                " tokens in one batch; they must be padded to one length");
        }
        inputs.input_ids.insert(inputs.input_ids.end(), encoding.ids.begin(), encoding.ids.end());
        inputs.token_type_ids.insert(
            inputs.token_type_ids.end(), encoding.token_type_ids.begin(), encoding.token_type_ids.end());
        inputs.attention_mask.insert(
            inputs.attention_mask.end(), encoding.attention_mask.begin(), encoding.attention_mask.end());
    }
    return inputs;
}

std::size_t padded_length(std::size_t tokens) { return (tokens + 31) / 32 * 32; }

Answer best_answer(std::span<const float> logits, const text::Encoding& encoding, std::size_t max_tokens) {
    if (logits.size() != 2 * encoding.size()) {
        fail(
            "encoder::best_answer", logits.size(), " logits for ", encoding.size(),
            " tokens; there must be two a token");
    }
    const auto start = [&](std::size_t token) { return static_cast<double>(logits[2 * token]); };
    const auto end = [&](std::size_t token) { return static_cast<double>(logits[2 * token + 1]); };
    // SQuAD 2 models point at the first token when the text does not say.
    const double none = start(0) + end(0);
    Answer best{.span = {}, .score = -std::numeric_limits<double>::infinity(), .margin = 0};
    for (std::size_t first = 0; first < encoding.size(); ++first) {
        if (encoding.which_text[first] != text::Source::Second) {
            continue;
        }
        const std::size_t stop = std::min(encoding.size(), first + max_tokens);
        for (std::size_t last = first; last < stop && encoding.which_text[last] == text::Source::Second; ++last) {
            const double score = start(first) + end(last);
            if (score > best.score) {
                best.score = score;
                best.span = {encoding.offsets[first].begin, encoding.offsets[last].end};
            }
        }
    }
    best.margin = best.score - none;
    return best;
}

std::vector<Word> likeliest_words(std::span<const float> logits, std::size_t count) {
    std::vector<Word> words;
    for (const Candidate& candidate : softmax_top_k(logits, count)) {
        words.push_back({static_cast<std::int32_t>(candidate.index), candidate.probability});
    }
    return words;
}

double cosine(std::span<const float> a, std::span<const float> b) {
    double product = 0;
    double norm_a = 0;
    double norm_b = 0;
    for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
        product += static_cast<double>(a[i]) * b[i];
        norm_a += static_cast<double>(a[i]) * a[i];
        norm_b += static_cast<double>(b[i]) * b[i];
    }
    const double norms = std::sqrt(norm_a * norm_b);
    return norms > 0 ? product / norms : 0;
}

std::vector<RankedSentence> rank(
    std::span<const float> embeddings, std::size_t width, std::span<const text::Offset> sentences) {
    if (embeddings.size() != (sentences.size() + 1) * width) {
        fail(
            "encoder::rank", embeddings.size(), " values for a question and ", sentences.size(), " sentences of width ",
            width);
    }
    std::vector<RankedSentence> ranked;
    const std::span<const float> question = embeddings.first(width);
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        ranked.push_back({sentences[i], cosine(question, embeddings.subspan((i + 1) * width, width))});
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const RankedSentence& a, const RankedSentence& b) {
        return a.score > b.score;
    });
    return ranked;
}

}  // namespace zoo::encoder
