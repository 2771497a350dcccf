// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace zoo {

// What a language model says about the token that comes next.
struct NextToken {
    std::int32_t best = 0;      // the likeliest, found on the device
    std::vector<float> logits;  // [vocab_size]; empty unless asked for
};

// A model that continues texts, for up to batch() users at a time; what came before stays on the device.
class CausalLm {
public:
    CausalLm() = default;
    virtual ~CausalLm() = default;
    CausalLm(const CausalLm&) = delete;
    CausalLm& operator=(const CausalLm&) = delete;

    [[nodiscard]] virtual std::int64_t batch() const = 0;
    [[nodiscard]] virtual std::int64_t context() const = 0;  // tokens of a text, at most
    [[nodiscard]] virtual std::int64_t vocab_size() const = 0;

    // Starts the text of a user anew. Error for no tokens, more than context(), or an id out of range.
    [[nodiscard]] virtual NextToken prefill(std::int64_t user, std::span<const std::int32_t> tokens, bool logits) = 0;

    // One more token for every user: tokens[u] at positions[u]. A user at position -1 rests; its result means nothing. Error for a
    // position from context() on.
    [[nodiscard]] virtual std::vector<NextToken> decode(
        std::span<const std::int32_t> tokens, std::span<const std::int32_t> positions, bool logits) = 0;
};

}  // namespace zoo
