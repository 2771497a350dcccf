// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt-metalium/core_coord.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// From one way of sharding to another; layout and data type stay.
[[nodiscard]] ttnn::Tensor reshard(
    const ttnn::Tensor& input_tensor, const MemoryConfig& memory_config,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

}  // namespace ttnn
