// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace zoo {

struct Candidate {
    std::int64_t index = 0;
    double probability = 0;  // softmax over all logits
};

// The `count` highest logits, the highest first; of equal ones the lower index first. A NaN counts as the lowest. Fewer where there
// are fewer logits.
[[nodiscard]] std::vector<Candidate> softmax_top_k(std::span<const float> logits, std::size_t count);

}  // namespace zoo
