// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>

namespace ttnn::operations::sliding_window {

enum class PaddingMode : std::uint8_t {
    Zeros = 0,
    Replicate = 1,
};

// {height, width} on both sides, or {top, bottom, left, right}: as the latter.
std::array<uint32_t, 4> get_pair_n4_padding(
    const std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>>& padding);

}  // namespace ttnn::operations::sliding_window
