// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <variant>

#include <tt-metalium/core_coord.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// A row-major shard row must be a multiple of 16 bytes; another data type needs TILE layout.
[[nodiscard]] ttnn::Tensor interleaved_to_sharded(
    const ttnn::Tensor& input_tensor, const MemoryConfig& sharded_memory_config,
    const std::optional<DataType>& data_type_arg = std::nullopt,
    const std::optional<bool>& keep_l1_aligned = std::nullopt,
    const std::optional<Tensor>& preallocated_output = std::nullopt);

// To L1. A grid given as its size takes as many cores as there are shards.
[[nodiscard]] ttnn::Tensor interleaved_to_sharded(
    const ttnn::Tensor& input_tensor, const std::variant<CoreCoord, CoreRangeSet>& grid,
    std::array<uint32_t, 2> shard_shape, TensorMemoryLayout shard_scheme,
    tt::tt_metal::ShardOrientation shard_orientation, const std::optional<DataType>& data_type_arg = std::nullopt,
    const std::optional<bool>& keep_l1_aligned = std::nullopt);

}  // namespace ttnn
