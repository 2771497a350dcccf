// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "zoo/random.hpp"

namespace zoo {

// How the next token is chosen from logits; the names and the order of the steps (penalty, temperature, top_k, top_p, draw) are those
// of Hugging Face's generate.
struct SamplingOptions {
    float temperature = 0.0F;  // 0: always the likeliest token
    std::int64_t top_k = 0;    // only the k likeliest; 0: all
    float top_p = 1.0F;        // only the likeliest that together have this probability
    float repetition_penalty =
        1.0F;  // of tokens that are in the text: logits above 0 are divided by it, others multiplied

    [[nodiscard]] bool greedy() const { return temperature == 0.0F; }
    // Whether the likeliest token is all that is needed.
    [[nodiscard]] bool needs_logits() const { return !greedy() || repetition_penalty != 1.0F; }
};

// Error naming the first value out of range.
void validate(const SamplingOptions& options);

// Probabilities of all tokens after the steps before the draw; `history` is the text so far. With temperature 0 the likeliest has all.
[[nodiscard]] std::vector<float> next_token_probabilities(
    std::span<const float> logits, std::span<const std::int32_t> history, const SamplingOptions& options);

[[nodiscard]] std::int32_t sample(
    std::span<const float> logits, std::span<const std::int32_t> history, const SamplingOptions& options,
    Random& random);

}  // namespace zoo
