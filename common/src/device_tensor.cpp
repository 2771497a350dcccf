// SPDX-License-Identifier: Apache-2.0
#include "zoo/device_tensor.hpp"

#include "zoo/error.hpp"

namespace zoo {

using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

ttnn::Shape device_shape(std::span<const std::int64_t> shape) {
    ttsl::SmallVector<std::uint32_t> dims;
    for (const std::int64_t dim : shape) {
        dims.push_back(static_cast<std::uint32_t>(dim));
    }
    return ttnn::Shape(dims);
}

TensorSpec tensor_spec(std::span<const std::int64_t> shape, const DeviceFormat& format) {
    return TensorSpec(device_shape(shape), TensorLayout(format.dtype, PageConfig(format.layout), format.memory_config));
}

ttnn::Tensor from_host(const HostTensor& tensor, const DeviceFormat& format, ttnn::MeshDevice* device) {
    return ttnn::Tensor::from_vector(tensor.data, tensor_spec(tensor.shape, format), device);
}

ttnn::Tensor from_ids(
    const std::vector<std::uint32_t>& ids, std::span<const std::int64_t> shape, ttnn::MeshDevice* device) {
    const DeviceFormat format{.dtype = ttnn::DataType::UINT32, .layout = ttnn::Layout::ROW_MAJOR};
    return ttnn::Tensor::from_vector(ids, tensor_spec(shape, format), device);
}

HostTensor to_host(const ttnn::Tensor& tensor) {
    HostTensor result;
    for (const std::uint32_t dim : tensor.logical_shape().view()) {
        result.shape.push_back(dim);
    }
    result.data = tensor.to_vector<float>();
    return result;
}

}  // namespace zoo
