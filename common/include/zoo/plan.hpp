// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace zoo {

// Which of a model's TTNN versions runs.
enum class Plan {
    Functional,  // bfloat16, interleaved, default configs
    Optimized,   // bfloat8_b weights, sharding, program configs
};

[[nodiscard]] std::string_view to_string(Plan plan);  // functional, optimized
// Error for any other name, listing these.
[[nodiscard]] Plan plan_from_string(std::string_view name);

}  // namespace zoo
