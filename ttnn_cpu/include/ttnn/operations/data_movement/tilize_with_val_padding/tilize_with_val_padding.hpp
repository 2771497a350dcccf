// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt_stl/small_vector.hpp>

#include "ttnn/tensor/types.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// Row-major to tiles, padded to output_padded_shape with pad_value.
[[nodiscard]] ttnn::Tensor tilize_with_val_padding(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<uint32_t>& output_padded_shape, ttnn::PadValue pad_value,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<DataType> output_dtype = std::nullopt, bool use_multicore = true);

[[nodiscard]] ttnn::Tensor tilize_with_val_padding(
    const ttnn::Tensor& input_tensor, const ttnn::Shape& output_padded_shape, ttnn::PadValue pad_value,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<DataType> output_dtype = std::nullopt, bool use_multicore = true);

// The same with zeros up to the next tile.
[[nodiscard]] ttnn::Tensor tilize_with_zero_padding(
    const ttnn::Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<DataType> output_dtype = std::nullopt, bool use_multicore = true);

}  // namespace ttnn
