// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/common/queue_id.hpp"
#include "ttnn/tensor/tensor.hpp"

namespace ttnn {

[[nodiscard]] Tensor allocate_tensor_on_host(
    const tt::tt_metal::TensorSpec& tensor_spec, tt::tt_metal::distributed::MeshDevice* mesh_device);
[[nodiscard]] Tensor create_device_tensor(
    const tt::tt_metal::TensorSpec& tensor_spec, tt::tt_metal::distributed::MeshDevice* mesh_device);

// Writes into memory that is there already, so that it may be the input of a captured trace. Shape, data type and layout
// of both sides must be equal.
void copy_to_device(const Tensor& host_tensor, Tensor& device_tensor, std::optional<QueueId> cq_id = std::nullopt);
void copy_to_host(
    const Tensor& device_tensor, Tensor& host_tensor, bool blocking = true,
    std::optional<QueueId> cq_id = std::nullopt);

[[nodiscard]] Tensor cpu(const Tensor& input_tensor, bool blocking = true, std::optional<QueueId> cq_id = std::nullopt);
// Host tensors only.
[[nodiscard]] Tensor to_dtype(const Tensor& tensor, tt::tt_metal::DataType dtype);

}  // namespace ttnn
