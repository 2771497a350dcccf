// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/normalization/layernorm/device/layernorm_types.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// HiFi4 with a float32 destination.
DeviceComputeKernelConfig layernorm_default_compute_config(tt::ARCH arch);

// Over the last dimension of (input + residual). Weight and bias are [1, 1, 1, width] in TILE layout or [1, 1, width /
// 32, 32] in ROW_MAJOR. A sharded input needs WIDTH or BLOCK sharding and gives an output of the same shards.
Tensor layer_norm(
    const Tensor& input_tensor, float epsilon = 1e-12, const std::optional<const Tensor>& weight = std::nullopt,
    const std::optional<const Tensor>& bias = std::nullopt,
    const std::optional<const Tensor>& residual_input_tensor = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<const prim::LayerNormProgramConfig>& program_config = std::nullopt,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    const std::optional<const Tensor>& recip_tensor = std::nullopt);

}  // namespace ttnn
