// SPDX-License-Identifier: Apache-2.0
#pragma once

// The conv device op: on a sharded input, in L1.
#include "ops/conv/blocking.hpp"
#include "ops/conv/weights.hpp"

namespace ttnn_cpu::conv_op {

struct ConvOp {
    ConvShape shape;
    ConvPlan plan;
    WeightPlan weights;
    Conv2dConfig config;
    DeviceComputeKernelConfig compute;
    DataType output_dtype = DataType::BFLOAT16;
};

// Halo, move and conv. input: sharded as the plan says. input_stays: the caller keeps it allocated; otherwise it is
// freed after the halo.
ttnn::Tensor run_conv(
    ttnn::Tensor input, const ttnn::Tensor& weights, const std::optional<ttnn::Tensor>& bias, const ConvOp& op,
    bool input_stays);

}  // namespace ttnn_cpu::conv_op
