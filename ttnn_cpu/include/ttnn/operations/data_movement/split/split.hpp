// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tt_stl/small_vector.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Slices of the given sizes, which add up to the dimension.
[[nodiscard]] std::vector<ttnn::Tensor> split(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<int64_t>& split_sizes, int64_t dim = 0,
    const std::optional<ttnn::MemoryConfig>& memory_config = std::nullopt);

// Slices of split_size; the last one may be smaller.
[[nodiscard]] std::vector<ttnn::Tensor> split(
    const ttnn::Tensor& input_tensor, int64_t split_size, int64_t dim = 0,
    const std::optional<ttnn::MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn
