// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt_stl/span.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

enum class TileReshapeMapMode {
    CACHE,
    RECREATE,
};

// A view where the memory allows it, else a copy. New padding of a tiled copy is filled when pad_value is given; block
// floats are always filled.
[[nodiscard]] ttnn::Tensor reshape(
    const ttnn::Tensor& input_tensor, const ttnn::Shape& logical_shape,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<PadValue>& pad_value = std::nullopt,
    TileReshapeMapMode reshape_map_mode = TileReshapeMapMode::CACHE,
    const std::optional<CoreRangeSet>& sub_core_grid = std::nullopt, bool skip_padding_fill = false);

[[nodiscard]] ttnn::Tensor reshape(
    const ttnn::Tensor& input_tensor, const ttnn::Shape& logical_input_shape, const ttnn::Shape& padded_input_shape,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<PadValue>& pad_value = std::nullopt,
    TileReshapeMapMode reshape_map_mode = TileReshapeMapMode::CACHE,
    const std::optional<CoreRangeSet>& sub_core_grid = std::nullopt, bool skip_padding_fill = false);

// At most one dimension may be -1; it takes what is left.
[[nodiscard]] ttnn::Tensor reshape(
    const ttnn::Tensor& input_tensor, ttsl::Span<const int32_t> shape_vector,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt,
    const std::optional<PadValue>& pad_value = std::nullopt,
    TileReshapeMapMode reshape_map_mode = TileReshapeMapMode::CACHE,
    const std::optional<CoreRangeSet>& sub_core_grid = std::nullopt, bool skip_padding_fill = false);

}  // namespace ttnn
