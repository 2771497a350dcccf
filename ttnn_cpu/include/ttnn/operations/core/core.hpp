// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/core.hpp"
#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {
namespace operations::core {

[[nodiscard]] ttnn::Tensor unsqueeze_to_4D(const ttnn::Tensor& tensor);
[[nodiscard]] ttnn::Tensor squeeze_from_4D(const ttnn::Tensor& tensor, int rank);

// To DRAM, interleaved, unless a memory config is given.
[[nodiscard]] ttnn::Tensor to_device(
    const ttnn::Tensor& tensor, MeshDevice* mesh_device, const std::optional<MemoryConfig>& memory_config,
    std::optional<QueueId> queue_id = std::nullopt);
[[nodiscard]] ttnn::Tensor from_device(
    const ttnn::Tensor& tensor, bool blocking = true, std::optional<QueueId> queue_id = std::nullopt);
void deallocate(Tensor& tensor, bool force = true);
// Moves a tensor to the best free place of its memory, so that what is free is in one piece.
[[nodiscard]] Tensor reallocate(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config);

}  // namespace operations::core

using operations::core::deallocate;
using operations::core::from_device;
using operations::core::reallocate;
using operations::core::squeeze_from_4D;
using operations::core::to_device;
using operations::core::unsqueeze_to_4D;

}  // namespace ttnn
