// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <variant>

#include "ttnn/types.hpp"

namespace ttnn {

// input_tensor [N, H, W, C]: [N, H/sh, W/sw, sh*sw*C], the channels of a patch one pixel after the other, in ROW_MAJOR.
// Padding {h, w}, {top, bottom, left, right} or {top, bottom, left, right, channels in front, channels behind} comes
// first; H and W with it must be multiples of the strides. With use_transpose_as_fold the input is [N, C, H, W], interleaved in
// ROW_MAJOR, only the padding at the top, left and behind the channels counts and comes behind, and H and W become multiples of 32
// unless output_shape cuts the result.
ttnn::Tensor fold(
    const ttnn::Tensor& input_tensor, uint32_t stride_h, uint32_t stride_w, bool use_transpose_as_fold = false,
    const std::optional<const ttnn::Shape>& output_shape = std::nullopt,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>, std::array<uint32_t, 6>> padding =
        std::array<uint32_t, 2>{0, 0},
    const std::optional<CoreRangeSet>& core_grid = std::nullopt,
    const std::optional<MemoryConfig>& override_memory_config = std::nullopt, bool collapse_output = false);

}  // namespace ttnn
