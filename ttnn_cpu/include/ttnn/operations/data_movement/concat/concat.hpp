// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ttnn/types.hpp"

namespace ttnn {

// Puts tensors of one data type and layout after one another along `dim`; to DRAM unless a memory config is given.
// Shards: along the width for HEIGHT or BLOCK, along the height for WIDTH or BLOCK, all on one grid.
[[nodiscard]] ttnn::Tensor concat(
    const std::vector<ttnn::Tensor>& input_tensors, int dim,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<ttnn::Tensor>& optional_output_tensor = std::nullopt, unsigned int groups = 1);

}  // namespace ttnn
