// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// Tiles to rows; keeps indices 0 to output_tensor_end, inclusive, of every dimension.
[[nodiscard]] Tensor untilize_with_unpadding(
    const Tensor& input_tensor, const Shape& output_tensor_end,
    const std::optional<MemoryConfig>& memory_config = std::nullopt, bool use_multicore = true);

}  // namespace ttnn
