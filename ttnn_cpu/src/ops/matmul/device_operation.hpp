// SPDX-License-Identifier: Apache-2.0
#pragma once

// A matmul as one op of the device.
#include "ops/matmul/params.hpp"

namespace ttnn_cpu::matmul_op {

// The public arguments of matmul and linear that decide a Params.
struct Arguments {
    const std::optional<const MemoryConfig>& memory_config;
    const std::optional<const DataType>& dtype;
    const std::optional<const MatmulProgramConfig>& program_config;
    std::optional<UnaryWithParam> activation;
    const std::optional<const ttnn::DeviceComputeKernelConfig>& compute_kernel_config;
    const std::optional<const ttnn::CoreGrid>& core_grid;
    const std::optional<const tt::tt_metal::Tile>& output_tile;
    bool transpose_a;
    bool transpose_b;
    bool untilize_out;
};

// Fills in TTNN's defaults.
Params resolve(const Tensor& a, const Tensor& b, const Arguments& arguments, const std::optional<Tensor>& output);

// Throws TTNN's messages. config is the one chosen, with its cores filled in.
void validate(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const std::optional<Tensor>& output,
    const Params& params, const MatmulProgramConfig& config);
// The part of it that is the config's own.
void validate_config(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const Params& params,
    const MatmulProgramConfig& config);

// Chooses the config if there is none, checks and launches.
Tensor run(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const std::optional<Tensor>& output,
    const Params& params);

}  // namespace ttnn_cpu::matmul_op
