// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt_stl/small_vector.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Dimension i of the output is dimension dims[i] of the input; negative dims count from the end.
[[nodiscard]] ttnn::Tensor permute(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<int64_t>& dims,
    const std::optional<MemoryConfig>& memory_config, float pad_value = 0.0f);

[[nodiscard]] ttnn::Tensor permute(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<int64_t>& dims, float pad_value = 0.0f);

}  // namespace ttnn
