// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include <tt-metalium/core_coord.hpp>
#include <tt_stl/small_vector.hpp>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// Reductions over one dimension, a list of them, or all when none is given: scalar * op(input). FLOAT32, BFLOAT16 and
// BFLOAT8_B. The result is tiled, but sum and mean of a ROW_MAJOR tensor of rank 4 over one of the last two dimensions
// stay ROW_MAJOR; output_layout asks for another layout. `correction` is for std and var.
Tensor sum(
    const Tensor& input_tensor_arg,
    const std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>& dim_arg = std::nullopt,
    bool keepdim = false, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt, float scalar = 1.0f,
    bool correction = true, const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt,
    const std::optional<Layout>& output_layout = std::nullopt);

Tensor mean(
    const Tensor& input_tensor_arg,
    const std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>& dim_arg = std::nullopt,
    bool keepdim = false, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt, float scalar = 1.0f,
    bool correction = true, const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt,
    bool fast_and_approximate_mode = false, const std::optional<Layout>& output_layout = std::nullopt);

Tensor max(
    const Tensor& input_tensor_arg,
    const std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>& dim_arg = std::nullopt,
    bool keepdim = false, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt, float scalar = 1.0f,
    bool correction = true, const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt,
    bool fast_and_approximate_mode = false);

Tensor min(
    const Tensor& input_tensor_arg,
    const std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>& dim_arg = std::nullopt,
    bool keepdim = false, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt, float scalar = 1.0f,
    bool correction = true, const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

// Over the last dimension, the one before, both of them, or one of the others. Unbiased unless correction is false.
Tensor std(
    const Tensor& input_tensor_arg,
    const std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>& dim_arg = std::nullopt,
    bool keepdim = false, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt, float scalar = 1.0f,
    bool correction = true, const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

Tensor var(
    const Tensor& input_tensor_arg,
    const std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>>& dim_arg = std::nullopt,
    bool keepdim = false, const std::optional<MemoryConfig>& memory_config_arg = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt, float scalar = 1.0f,
    bool correction = true, const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

}  // namespace ttnn
