// SPDX-License-Identifier: Apache-2.0
#include "zoo/layer_parameters.hpp"

#include "zoo/device_tensor.hpp"

namespace zoo {
namespace {

// A vector as a row: the matrix that TTNN broadcasts.
ttnn::Tensor row(const HostTensor& vector, ttnn::MeshDevice& device) {
    return from_host(reshape(vector, {1, -1}), {}, &device);
}

}  // namespace

LinearParameters linear_parameters(
    const HostTensor& weight, const HostTensor& bias, ttnn::DataType dtype, ttnn::MeshDevice& device) {
    return {
        .weight = from_host(transpose(weight), {.dtype = dtype}, &device),
        .bias = bias.data.empty() ? std::nullopt : std::optional(row(bias, device))};
}

LayerNormParameters layer_norm_parameters(const HostTensor& weight, const HostTensor& bias, ttnn::MeshDevice& device) {
    return {.weight = row(weight, device), .bias = row(bias, device)};
}

ttnn::Tensor table_parameter(const HostTensor& table, ttnn::MeshDevice& device) {
    return from_host(table, {.layout = ttnn::Layout::ROW_MAJOR}, &device);
}

}  // namespace zoo
