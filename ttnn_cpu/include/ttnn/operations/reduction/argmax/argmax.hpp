// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt-metalium/core_coord.hpp>

#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// The place of the largest value, the first of equals, as UINT32 in ROW_MAJOR layout; interleaved input. ROW_MAJOR:
// BFLOAT16, FLOAT32, INT32, UINT32 or UINT16, over the last dimension or, without dim, over all elements. BFLOAT16 and
// FLOAT32 in either layout: over any dimension.
Tensor argmax(
    const Tensor& input_tensor, const std::optional<int>& dim = std::nullopt, bool keepdim = false,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<Tensor> optional_output_tensor = std::nullopt);

}  // namespace ttnn
