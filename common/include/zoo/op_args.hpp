// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/operations/normalization/layernorm/layernorm.hpp"
#include "ttnn/types.hpp"

// TTNN's longest argument lists by name. The positional order is spelled once, in op_args.cpp.
namespace zoo {

struct MatmulArgs {
    bool transpose_a = false;
    bool transpose_b = false;
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    std::optional<ttnn::DataType> dtype = std::nullopt;
    std::optional<ttnn::operations::matmul::MatmulProgramConfig> program_config = std::nullopt;
    std::optional<std::string> activation = std::nullopt;
    std::optional<ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt;
    std::optional<ttnn::CoreGrid> core_grid = std::nullopt;
};

struct LinearArgs {
    std::optional<ttnn::Tensor> bias = std::nullopt;
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    std::optional<ttnn::DataType> dtype = std::nullopt;
    std::optional<ttnn::operations::matmul::MatmulProgramConfig> program_config = std::nullopt;
    std::optional<std::string> activation = std::nullopt;
    std::optional<ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt;
    std::optional<ttnn::CoreGrid> core_grid = std::nullopt;
};

struct LayerNormArgs {
    float epsilon = 1e-12F;
    std::optional<ttnn::Tensor> weight = std::nullopt;
    std::optional<ttnn::Tensor> bias = std::nullopt;
    std::optional<ttnn::Tensor> residual = std::nullopt;  // added to the input first
    std::optional<ttnn::MemoryConfig> memory_config = std::nullopt;
    std::optional<ttnn::prim::LayerNormProgramConfig> program_config = std::nullopt;
    std::optional<ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt;
};

[[nodiscard]] ttnn::Tensor matmul(const ttnn::Tensor& a, const ttnn::Tensor& b, const MatmulArgs& args = {});
[[nodiscard]] ttnn::Tensor linear(const ttnn::Tensor& input, const ttnn::Tensor& weight, const LinearArgs& args = {});
[[nodiscard]] ttnn::Tensor layer_norm(const ttnn::Tensor& input, const LayerNormArgs& args);

}  // namespace zoo
