// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/core.hpp"
#include "ttnn/operations/data_movement/sharded/interleaved_to_sharded/interleaved_to_sharded.hpp"
#include "ttnn/operations/data_movement/sharded/reshard/reshard.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// Interleaved to shards, shards to interleaved, shards to other shards, or a copy; the tensor itself when it is there
// already.
[[nodiscard]] Tensor to_memory_config(
    const Tensor& tensor, const MemoryConfig& memory_config, std::optional<DataType> dtype = std::nullopt,
    const std::optional<Tensor>& output_tensor = std::nullopt);

}  // namespace ttnn
