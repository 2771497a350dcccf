// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>

#include <tt_stl/small_vector.hpp>

#include "ttnn/types.hpp"

namespace ttnn {
namespace operations::data_movement {

struct PadSpecDim {
    uint32_t before_elements;
    uint32_t after_elements;
};

}  // namespace operations::data_movement

// Adds elements of `value` around the last dimensions, one entry of `padding` for each. In TILE layout at the end only;
// beyond rank 4 on the last three dimensions only.
[[nodiscard]] ttnn::Tensor pad(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<operations::data_movement::PadSpecDim>& padding,
    float value, bool use_multicore = true, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt);

[[nodiscard]] ttnn::Tensor pad(
    const ttnn::Tensor& input_tensor, const ttsl::SmallVector<std::array<uint32_t, 2>>& padding, float value,
    bool use_multicore = true, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt);

// To output_padded_shape, with the input at input_tensor_start.
[[nodiscard]] ttnn::Tensor pad(
    const ttnn::Tensor& input_tensor, const ttnn::Array4D& output_padded_shape, const ttnn::Array4D& input_tensor_start,
    float value, bool use_multicore = true, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt);

}  // namespace ttnn
