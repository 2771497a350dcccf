// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// input [N, C, H, W], BFLOAT16 or FLOAT32, TILE, interleaved: (input - mean) / sqrt(var + eps) * weight + bias, where
// mean, var, weight and bias are [1, C, 1, 1] and alike in dtype. Evaluation only: mean and var must be given, and
// `training` be false.
Tensor batch_norm(
    const Tensor& input, std::optional<Tensor> running_mean = std::nullopt,
    std::optional<Tensor> running_var = std::nullopt, bool training = false, float eps = 1e-05, float momentum = 0.1,
    const std::optional<Tensor>& weight = std::nullopt, const std::optional<Tensor>& bias = std::nullopt,
    const std::optional<Tensor>& output = std::nullopt, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt);

}  // namespace ttnn
