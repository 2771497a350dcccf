// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// Tiles to rows, padding included; BFLOAT8_B becomes BFLOAT16.
[[nodiscard]] ttnn::Tensor untilize(
    const ttnn::Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    bool use_multicore = true);

}  // namespace ttnn
