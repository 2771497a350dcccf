// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/core.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// To TILE: pads the last two dimensions to 32 with pad_value and may change the data type. To ROW_MAJOR: drops the
// padding; block floats become BFLOAT16. A tensor that has the layout already is returned as it is.
[[nodiscard]] Tensor to_layout(
    const Tensor& tensor_arg, Layout layout, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt, float pad_value = 0.0f);

}  // namespace ttnn
