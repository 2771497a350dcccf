// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "zoo/json_config.hpp"

namespace zoo {

// An integer of any size: bounds are the business of a model's validate(), whose messages name the rule. Error when the
// key is absent and there is no fallback.
[[nodiscard]] inline std::int64_t integer(
    const JsonConfig& json, std::string_view key, std::optional<std::int64_t> fallback = std::nullopt) {
    constexpr IntRange kAny{
        .min = std::numeric_limits<std::int64_t>::min(), .max = std::numeric_limits<std::int64_t>::max()};
    return json.int64(key, fallback, kAny);
}

}  // namespace zoo
