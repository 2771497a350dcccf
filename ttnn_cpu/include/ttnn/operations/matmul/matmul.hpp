// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>

#include <tt-metalium/tile.hpp>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"
#include "ttnn/operations/matmul/device/config/matmul_program_config_types.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

// A name such as "gelu", or the function itself.
using Activation = std::variant<std::string, UnaryWithParam>;

namespace operations::matmul {

namespace detail {

// Whether a dimension in front of the last two is above 1.
bool is_input_batched(const tt::tt_metal::Shape& logical_shape);

}  // namespace detail

std::optional<UnaryWithParam> get_fused_activation(const std::optional<const Activation>& activation);

// input_tensor_a [..., M, K] times input_tensor_b [..., K, N]: [..., M, N], both TILE and floating point. The batch
// of b is 1 (weights) or that of a. The output goes to DRAM interleaved unless memory_config says otherwise; its
// dtype is a's unless given. A program config, or a core grid from which one is made, is chosen by TTNN's rules when
// neither is given. An activation is fused with a core grid, else it is an op of its own; sharded operands take it in
// the program config only.
Tensor matmul(
    const Tensor& input_tensor_a, const Tensor& input_tensor_b, bool transpose_a = false, bool transpose_b = false,
    const std::optional<const MemoryConfig>& memory_config = std::nullopt,
    std::optional<const DataType> dtype = std::nullopt,
    const std::optional<const MatmulProgramConfig>& program_config = std::nullopt,
    const std::optional<const Activation>& activation = std::nullopt,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    std::optional<const CoreGrid> core_grid = std::nullopt,
    const std::optional<const tt::tt_metal::Tile>& output_tile = std::nullopt,
    std::optional<Tensor> optional_output_tensor = std::nullopt);

// matmul plus bias. A row [1, N] is added inside the matmul where the config can, else by ttnn::add.
Tensor linear(
    const Tensor& input_tensor_a, const Tensor& input_tensor_b, const std::optional<const Tensor>& bias = std::nullopt,
    bool transpose_a = false, bool transpose_b = false,
    const std::optional<const MemoryConfig>& memory_config = std::nullopt,
    std::optional<const DataType> dtype = std::nullopt,
    const std::optional<const MatmulProgramConfig>& program_config = std::nullopt,
    const std::optional<const Activation>& activation = std::nullopt,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    std::optional<const CoreGrid> core_grid = std::nullopt,
    const std::optional<const tt::tt_metal::Tile>& output_tile = std::nullopt,
    std::optional<Tensor> optional_output_tensor = std::nullopt);

void addmm_validate(
    const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor, float alpha, float beta);

// beta * input_tensor + alpha * (mat1_tensor x mat2_tensor), all of rank 2; without beta, input_tensor is not read.
Tensor addmm(
    const Tensor& input_tensor, const Tensor& mat1_tensor, const Tensor& mat2_tensor, float alpha = 1.0f,
    float beta = 1.0f, const std::optional<const MemoryConfig>& memory_config = std::nullopt,
    std::optional<const DataType> dtype = std::nullopt,
    const std::optional<const MatmulProgramConfig>& program_config = std::nullopt,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    std::optional<const CoreGrid> core_grid = std::nullopt,
    const std::optional<const tt::tt_metal::Tile>& output_tile = std::nullopt,
    std::optional<Tensor> optional_output_tensor = std::nullopt);

}  // namespace operations::matmul

using operations::matmul::addmm;
using operations::matmul::linear;
using operations::matmul::matmul;

}  // namespace ttnn
