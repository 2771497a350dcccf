// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// Writes into dst_tensor, which has the same shape and layout; another data type needs TILE layout.
Tensor copy(const Tensor& src_tensor, const Tensor& dst_tensor);

[[nodiscard]] Tensor assign(
    const Tensor& input, const MemoryConfig& output_mem_config,
    std::optional<const DataType> output_dtype = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

// Writes input_a into input_b.
Tensor assign(const Tensor& input_a, const Tensor& input_b);

}  // namespace ttnn
