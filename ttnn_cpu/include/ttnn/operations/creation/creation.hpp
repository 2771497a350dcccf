// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <functional>
#include <optional>
#include <vector>

#include "ttnn/core.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/tensor/tensor_ops.hpp"
#include "ttnn/types.hpp"

// Tensors filled on the host: BFLOAT16 in ROW_MAJOR (block floats in TILE), on the host unless a device is given, in
// DRAM unless a memory config is. Padding holds the value too.
namespace ttnn {

[[nodiscard]] Tensor zeros(
    const ttnn::Shape& shape, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

[[nodiscard]] Tensor ones(
    const ttnn::Shape& shape, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

// With an output tensor, its shape, data type and layout are taken and it is written.
template <typename FillValueType>
requires std::is_same_v<FillValueType, int> or std::is_same_v<FillValueType, float> Tensor full(
    const ttnn::Shape& shape, FillValueType fill_value, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

// Device memory whose content is not defined.
[[nodiscard]] Tensor empty(
    const ttnn::Shape& shape, const DataType& dtype, const Layout& layout, MeshDevice* device,
    const MemoryConfig& memory_config);

template <typename BufferType>
[[nodiscard]] Tensor from_buffer(
    std::vector<BufferType>&& buffer, const Shape& shape, DataType dtype, MeshDevice* device,
    const std::optional<Layout>& layout = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

template <typename BufferType>
[[nodiscard]] Tensor from_buffer(
    const std::vector<BufferType>& buffer, const Shape& shape, DataType dtype, MeshDevice* device,
    const std::optional<Layout>& layout = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

// What is not given is taken from `tensor`.
template <typename FillValueType>
requires std::is_same_v<FillValueType, int> or std::is_same_v<FillValueType, float> Tensor full_like(
    const Tensor& tensor, FillValueType fill_value, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

Tensor zeros_like(
    const Tensor& tensor, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

Tensor ones_like(
    const Tensor& tensor, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt);

[[nodiscard]] Tensor empty_like(
    const Tensor& tensor, const std::optional<DataType>& dtype = std::nullopt,
    const std::optional<Layout>& layout = std::nullopt,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

// start, start + step, ... before stop, as a tensor of rank 1. BFLOAT16, FLOAT32 or an integer type.
[[nodiscard]] Tensor arange(
    int64_t start, int64_t stop, int64_t step = 1, DataType dtype = ttnn::DataType::BFLOAT16,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const MemoryConfig& memory_config = ttnn::DRAM_MEMORY_CONFIG, Layout layout = Layout::ROW_MAJOR);

[[nodiscard]] Tensor arange(
    int64_t stop, DataType dtype = DataType::BFLOAT16,
    std::optional<std::reference_wrapper<MeshDevice>> device = std::nullopt,
    const MemoryConfig& memory_config = ttnn::DRAM_MEMORY_CONFIG, Layout layout = Layout::ROW_MAJOR);

}  // namespace ttnn
