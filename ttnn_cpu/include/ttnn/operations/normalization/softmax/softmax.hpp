// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/normalization/softmax/device/softmax_operation_types.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// FLOAT32, BFLOAT16 or BFLOAT8_B in TILE layout. Over the last dimension the exponential is approximate unless a
// compute config turns math_approx_mode off; over the others it is not.
Tensor softmax(
    const Tensor& input_tensor, int dim, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt, bool numeric_stable = true);

// Over the last dimension of input * scale + mask; a scale needs a mask. The mask is [batch, 1, 1, width] and is added
// to every row, or, with is_causal_mask, has a row for each row of the input.
Tensor scale_mask_softmax(
    const Tensor& input_tensor, std::optional<float> scale = std::nullopt,
    const std::optional<const Tensor>& mask = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt, bool is_causal_mask = false,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt, bool numeric_stable = true);

// The same into the input's memory, over the last dimension of four.
Tensor softmax_in_place(
    const Tensor& input_tensor, int dim = -1,
    const SoftmaxProgramConfig& program_config = SoftmaxDefaultProgramConfig{},
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt, bool numeric_stable = true);

// With the sharded config the mask may also be ROW_MAJOR, [batch, 1, width / 32, 32], or sharded like the input.
Tensor scale_mask_softmax_in_place(
    const Tensor& input_tensor, std::optional<float> scale = std::nullopt,
    const std::optional<const Tensor>& mask = std::nullopt,
    const SoftmaxProgramConfig& program_config = SoftmaxDefaultProgramConfig{}, bool is_causal_mask = false,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt, bool numeric_stable = false);

// Sharded input, sharded config, a scale, and one mask [1, 1, height, width] in TILE layout for every batch.
Tensor scale_causal_mask_hw_dims_softmax_in_place(
    const Tensor& input_tensor, std::optional<float> scale = std::nullopt,
    const std::optional<const Tensor>& mask = std::nullopt,
    const SoftmaxProgramConfig& program_config = SoftmaxDefaultProgramConfig{},
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt, bool numeric_stable = false);

}  // namespace ttnn
