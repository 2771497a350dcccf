// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

namespace operations::upsample {

// input_tensor [N, H, W, C]: [N, floor(H * scale), floor(W * scale), C] in ROW_MAJOR; block floats become BFLOAT16.
// "nearest": rows (interleaved, height or block sharded) or whole tiles (interleaved); scales that are no integers need
// rows. "bilinear": BFLOAT16 rows, interleaved or height sharded, integer scales. Shards grow with the image.
ttnn::Tensor upsample(
    const ttnn::Tensor& input_tensor, std::variant<int, std::array<int, 2>, float, std::array<float, 2>> scale_factor,
    const std::string& mode = std::string("nearest"),
    const std::optional<MemoryConfig>& output_mem_config = std::nullopt,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config = std::nullopt);

}  // namespace operations::upsample

using ttnn::operations::upsample::upsample;

}  // namespace ttnn
