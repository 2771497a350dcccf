// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// Frees the tensor and gives its content memory anew, so that free memory comes together. An interleaved tensor that
// someone else holds too stays where it is; a sharded one is refused.
[[nodiscard]] Tensor move(
    const Tensor& input_tensor, const std::optional<MemoryConfig>& output_mem_config = std::nullopt);

}  // namespace ttnn
