// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// A copy in memory of its own. Input and output are both interleaved, or have the same shards.
[[nodiscard]] Tensor clone(
    const Tensor& input, const std::optional<DataType>& dtype, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config);

}  // namespace ttnn
