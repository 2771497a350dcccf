// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// Swaps two dimensions. A sharded input gives a sharded output when the shards can follow.
[[nodiscard]] ttnn::Tensor transpose(
    const ttnn::Tensor& input_tensor, int64_t dim1, int64_t dim2, const std::optional<MemoryConfig>& memory_config_arg,
    float pad_value = 0.0f);

[[nodiscard]] ttnn::Tensor transpose(
    const ttnn::Tensor& input_tensor, int64_t dim1, int64_t dim2, float pad_value = 0.0f);

}  // namespace ttnn
