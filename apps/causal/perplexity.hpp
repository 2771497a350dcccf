// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "zoo/causal_lm.hpp"

namespace zoo::apps {

// exp of the mean loss a token: windows of the model's context one after the other, each token given those before it in its window.
[[nodiscard]] double perplexity(CausalLm& model, std::span<const std::int32_t> tokens);

}  // namespace zoo::apps
