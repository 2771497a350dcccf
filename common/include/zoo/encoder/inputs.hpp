// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "zoo/encoder/spec.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo::encoder {

// Token sequences of equal length, row-major [batch, sequence]. Positions are 0, 1, 2 ... in every sequence.
struct Inputs {
    std::int64_t batch = 0;
    std::int64_t sequence = 0;
    std::vector<std::uint32_t> input_ids;
    std::vector<std::uint32_t> token_type_ids;  // 0 for the first text, 1 for the second
    std::vector<std::uint32_t> attention_mask;  // 1 for a token, 0 for padding
};

// Error when sizes disagree, an id has no embedding, the sequence is too long, or a sequence has no token at all.
void validate(const Limits& limits, const Inputs& inputs);

// Sequences as a question and a text give them: two segments, padding after a length that differs by sequence.
[[nodiscard]] Inputs random_inputs(const Limits& limits, std::int64_t batch, std::int64_t sequence, std::uint64_t seed);

// The same sequences in a larger rectangle. Added tokens are padding; an added sequence is one pad token and padding, since
// attention needs something to look at.
[[nodiscard]] Inputs pad(const Limits& limits, const Inputs& inputs, std::int64_t batch, std::int64_t sequence);

// What is added to attention scores, [batch, 1, 1, sequence]: 0 for a token, kMasked for padding.
[[nodiscard]] HostTensor additive_mask(const Inputs& inputs);

// Far below any score, so that exp() gives exactly 0, and well inside the range of every device format.
inline constexpr float kMasked = -100000.0F;

}  // namespace zoo::encoder
