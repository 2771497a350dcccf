// SPDX-License-Identifier: Apache-2.0
#pragma once

// ttnn::conv2d once its arguments are in order.
#include "ops/conv/conv2d_steps.hpp"

namespace ttnn_cpu::conv_op {

// What the steps of a call hand on.
struct Call {
    ConvShape given;  // as it was called
    ConvShape shape;  // after folding
    Conv2dConfig config;
    DeviceComputeKernelConfig compute;
    DataType output_dtype;
    std::optional<const MemoryConfig> memory_config;
    MeshDevice* device;
};

bool on_device(const Tensor& tensor);

// An input that is no batch of such images is refused.
void check_input(const Tensor& input, const ConvShape& shape);

// The output stays in L1, in shards.
ttnn::Conv2dResult conv_in_l1(
    const Tensor& given_input, const Tensor& weights, const std::optional<Tensor>& bias, Call call);
// In slices, from DRAM to DRAM.
ttnn::Conv2dResult conv_in_dram(
    const Tensor& given_input, const Tensor& weights, const std::optional<Tensor>& bias, Call call,
    const std::optional<const SliceConfig>& slice_config);

}  // namespace ttnn_cpu::conv_op
