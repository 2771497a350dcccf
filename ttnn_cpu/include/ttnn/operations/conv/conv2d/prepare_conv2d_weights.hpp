// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

#include "ttnn/operations/conv/conv2d/conv2d.hpp"

namespace ttnn::operations::conv::conv2d {

using ttnn::prim::Conv2dConfig;
using ttnn::prim::Conv2dSliceConfig;

// Weights as a conv2d with the same arguments reads them: on the device, TILE, [1, 1, I*kh*kw, O]. Layout and memory
// config are those that the conv's input will have.
ttnn::Tensor prepare_conv_weights(
    const ttnn::Tensor& weight_tensor, const ttnn::MemoryConfig& input_memory_config, Layout input_layout,
    const std::string& weights_format, uint32_t in_channels, uint32_t out_channels, uint32_t batch_size,
    uint32_t input_height, uint32_t input_width, std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, std::array<uint32_t, 2> dilation,
    bool has_bias, uint32_t groups, MeshDevice* device, DataType input_dtype,
    const std::optional<const DataType>& output_dtype, const std::optional<const Conv2dConfig>& conv_config_,
    const std::optional<const DeviceComputeKernelConfig>& compute_config_,
    const std::optional<const Conv2dSliceConfig>& dram_slice_config_);

// The same for the bias; conv_config_ must name weights_dtype, which is that of the bias too.
ttnn::Tensor prepare_conv_bias(
    const ttnn::Tensor& bias_tensor, const ttnn::MemoryConfig& input_memory_config, Layout input_layout,
    uint32_t in_channels, uint32_t out_channels, uint32_t batch_size, uint32_t input_height, uint32_t input_width,
    std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, std::array<uint32_t, 2> dilation,
    uint32_t groups, MeshDevice* device, DataType input_dtype, const std::optional<const DataType>& output_dtype,
    const std::optional<const Conv2dConfig>& conv_config_,
    const std::optional<const DeviceComputeKernelConfig>& compute_config_,
    const std::optional<const Conv2dSliceConfig>& dram_slice_config_ = std::nullopt);

}  // namespace ttnn::operations::conv::conv2d
