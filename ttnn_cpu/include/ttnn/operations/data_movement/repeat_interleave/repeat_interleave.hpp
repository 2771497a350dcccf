// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// Each element of a dimension `repeats` times in a row.
[[nodiscard]] ttnn::Tensor repeat_interleave(
    const ttnn::Tensor& input_a, uint32_t repeats, int32_t dim,
    const std::optional<MemoryConfig>& output_mem_config = std::nullopt);

}  // namespace ttnn
