// SPDX-License-Identifier: Apache-2.0
#pragma once

// From weights [O, I/groups, kh, kw] and bias [1, 1, 1, O] on the host to what the conv op reads.
#include <optional>

#include <tt-metalium/mesh_device.hpp>

#include "kernels/conv_layout.hpp"
#include "ops/conv/blocking.hpp"

namespace ttnn_cpu::conv_op {

struct WeightPlan {
    kernels::ConvLayout layout;
    std::uint32_t columns = 0;  // output channels, padded
    // Strides that were folded into the channels, {1, 1} for none.
    Pair folded{1, 1};
    std::uint32_t groups = 1;
    std::optional<DataType> dtype;
};

// given: the conv as it was called; shape: what is left of it after folding. interleaved_matmul: it is a matmul of an
// interleaved input.
WeightPlan weight_plan(
    const ConvShape& given, const ConvShape& shape, const ConvPlan& plan, const Conv2dConfig& config,
    bool interleaved_matmul);

// Both return DRAM tensors in TILE layout: [1, 1, I*kh*kw, O] (padded to the plan) and [1, 1, 32, O].
ttnn::Tensor prepare_weights(
    const ttnn::Tensor& weights, const WeightPlan& plan, tt::tt_metal::distributed::MeshDevice* device);
ttnn::Tensor prepare_bias(
    const ttnn::Tensor& bias, std::uint32_t out_channels, const WeightPlan& plan, DataType dtype,
    tt::tt_metal::distributed::MeshDevice* device);

bool is_prepared_weights(const ttnn::Tensor& weights, std::uint32_t out_channels, const std::optional<DataType>& dtype);
bool is_prepared_bias(const ttnn::Tensor& bias, std::uint32_t out_channels, const std::optional<DataType>& dtype);

}  // namespace ttnn_cpu::conv_op
