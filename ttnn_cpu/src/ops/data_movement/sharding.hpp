// SPDX-License-Identifier: Apache-2.0
#pragma once

// The sharding device ops, and the rules by which to_memory_config chooses between them.
#include <optional>
#include <string>

#include <ttnn/tensor/tensor.hpp>

namespace ttnn_cpu {

// Why the op would refuse, empty when it would not.
std::string interleaved_to_sharded_refusal(
    const ttnn::Tensor& input, const tt::tt_metal::MemoryConfig& memory, tt::tt_metal::DataType dtype,
    const std::optional<ttnn::Tensor>& output);
std::string sharded_to_interleaved_refusal(
    const ttnn::Tensor& input, const tt::tt_metal::MemoryConfig& memory, tt::tt_metal::DataType dtype,
    const std::optional<ttnn::Tensor>& output);
std::string reshard_refusal(
    const ttnn::Tensor& input, const tt::tt_metal::MemoryConfig& memory, const std::optional<ttnn::Tensor>& output);

ttnn::Tensor sharded_to_interleaved_op(
    const ttnn::Tensor& input, const tt::tt_metal::MemoryConfig& memory, tt::tt_metal::DataType dtype,
    const std::optional<ttnn::Tensor>& output = std::nullopt);

// CopyDeviceOperation: any memory config to any other; another data type needs TILE layout.
ttnn::Tensor copy_op(
    const ttnn::Tensor& input, const tt::tt_metal::MemoryConfig& memory, tt::tt_metal::DataType dtype,
    const std::optional<ttnn::Tensor>& output = std::nullopt);

}  // namespace ttnn_cpu
