// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <tuple>
#include <variant>

#include "ttnn/distributed/types.hpp"
#include "ttnn/operations/conv/conv2d/device/conv2d_device_operation_types.hpp"
#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

using OutputHeight = uint32_t;
using OutputWidth = uint32_t;
using Conv2dResult = std::tuple<ttnn::Tensor, OutputHeight, OutputWidth, ttnn::Tensor, std::optional<ttnn::Tensor>>;
// Chosen by the last two arguments: the output; with its height and width; with the prepared weights and bias; with
// both.
using Conv2dResultWithOptions = std::variant<
    ttnn::Tensor, std::tuple<ttnn::Tensor, std::tuple<OutputHeight, OutputWidth>>,
    std::tuple<ttnn::Tensor, std::tuple<ttnn::Tensor, std::optional<ttnn::Tensor>>>,
    std::tuple<
        ttnn::Tensor, std::tuple<OutputHeight, OutputWidth>, std::tuple<ttnn::Tensor, std::optional<ttnn::Tensor>>>>;

using ttnn::prim::Conv2dConfig;
using ttnn::prim::Conv2dSliceConfig;

// input_tensor [N, H, W, C] or [1, 1, N*H*W, C], weight_tensor [O, C/groups, kh, kw] on the host (ROW_MAJOR) or as
// prepare_conv_weights returned it, bias_tensor [1, 1, 1, O] likewise: [1, 1, N*OH*OW, O]. An input in L1 (or a slice
// config of L1_FULL) is convolved in L1, and the output stays there in shards; an input in DRAM in as many slices as it
// takes, to DRAM. Groups become a dense weight with zeros. padding: {height, width} or {top, bottom, left, right}.
Conv2dResultWithOptions conv2d(
    const ttnn::Tensor& input_tensor, const ttnn::Tensor& weight_tensor, MeshDevice* device, uint32_t in_channels,
    uint32_t out_channels, uint32_t batch_size, uint32_t input_height, uint32_t input_width,
    std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride = std::array<uint32_t, 2>{1, 1},
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding = std::array<uint32_t, 2>{0, 0},
    std::array<uint32_t, 2> dilation = std::array<uint32_t, 2>{1, 1}, uint32_t groups = 1,
    const std::optional<const DataType>& dtype = std::nullopt,
    const std::optional<const ttnn::Tensor>& bias_tensor = std::nullopt,
    const std::optional<const Conv2dConfig>& conv_config_ = std::nullopt,
    const std::optional<const DeviceComputeKernelConfig>& compute_config_ = std::nullopt,
    const std::optional<const MemoryConfig>& memory_config_ = std::nullopt,
    const std::optional<const Conv2dSliceConfig>& dram_slice_config_ = std::nullopt, bool return_output_dim = false,
    bool return_weights_and_bias = false);

}  // namespace ttnn
