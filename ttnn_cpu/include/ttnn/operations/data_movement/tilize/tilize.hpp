// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt-metalium/tile.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Row-major to tiles; height and width must be multiples of 32 already. May pack to another floating-point type.
[[nodiscard]] ttnn::Tensor tilize(
    const ttnn::Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<DataType> output_dtype = std::nullopt, bool use_multicore = true, bool use_low_perf = false,
    tt::tt_metal::Tile tile = tt::tt_metal::Tile());

}  // namespace ttnn
