// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// A copy whose tile padding holds fill_value; the tensor itself when it has no padding.
[[nodiscard]] Tensor fill_implicit_tile_padding(
    const Tensor& input_tensor, ttnn::PadValue fill_value,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn
