// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn {

// From shards in L1. A tensor without shards is returned as it is.
[[nodiscard]] ttnn::Tensor sharded_to_interleaved(
    const ttnn::Tensor& input_tensor, const MemoryConfig& memory_config,
    const std::optional<DataType>& output_dtype = std::nullopt);

}  // namespace ttnn
