// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "ttnn/types.hpp"
#include "zoo/host_tensor.hpp"

namespace zoo {

// What from_host makes of a host tensor. Tiles and bfloat16 in DRAM unless told otherwise.
struct DeviceFormat {
    ttnn::DataType dtype = ttnn::DataType::BFLOAT16;
    ttnn::Layout layout = ttnn::Layout::TILE;
    ttnn::MemoryConfig memory_config = {};
};

[[nodiscard]] ttnn::Shape device_shape(std::span<const std::int64_t> shape);
[[nodiscard]] tt::tt_metal::TensorSpec tensor_spec(
    std::span<const std::int64_t> shape, const DeviceFormat& format = {});

// A TTNN tensor with the values of `tensor`, on the device or, without one, on the host.
[[nodiscard]] ttnn::Tensor from_host(
    const HostTensor& tensor, const DeviceFormat& format = {}, ttnn::MeshDevice* device = nullptr);
// Ids and positions: UINT32 in row-major layout.
[[nodiscard]] ttnn::Tensor from_ids(
    const std::vector<std::uint32_t>& ids, std::span<const std::int64_t> shape, ttnn::MeshDevice* device = nullptr);

// The values of any floating-point tensor, brought back if it is on a device.
[[nodiscard]] HostTensor to_host(const ttnn::Tensor& tensor);

}  // namespace zoo
