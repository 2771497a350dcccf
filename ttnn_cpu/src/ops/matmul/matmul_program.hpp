// SPDX-License-Identifier: Apache-2.0
#pragma once

// The program of a matmul whose arguments are checked.
#include <ttnn_cpu/device_options.hpp>

#include "core/program.hpp"
#include "kernels/matmul_epilogue.hpp"
#include "ops/matmul/placement.hpp"

namespace ttnn_cpu::matmul_op {

// What a kernel has to know: nothing of tensors.
struct ProgramSpec {
    Placement placement;
    ttnn::DeviceComputeKernelConfig compute;
    std::size_t batch = 1;
    bool one_in0 = false;
    bool one_in1 = true;
    std::size_t m = 0;
    std::size_t m_padded = 0;
    std::size_t out_m_padded = 0;  // of the output, where shards pad the input alone
    std::size_t k = 0;
    std::size_t k_padded = 0;
    std::size_t n = 0;  // padded
    bool transpose0 = false;
    bool transpose1 = false;
    kernels::StoredFormat in0_format{};
    kernels::StoredFormat in1_format{};
    kernels::StoredFormat bias_format{};
    kernels::StoredFormat out_format{};
    bool has_bias = false;
    std::size_t bias_rows_padded = 0;
    bool bias_is_block = false;  // [m, n], not one row
    bool packer_relu = false;
    std::optional<kernels::UnaryOp> activation;
};

ProgramSpec program_spec(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const Params& params,
    const MatmulProgramConfig& config);

// Inputs of the kernel are a, b and, if there is one, the bias.
Program make_program(const ProgramSpec& spec, Numerics numerics);

Kernel fast_kernel(const ProgramSpec& spec);
Kernel wormhole_kernel(const ProgramSpec& spec);

// The function that a matmul can fuse; throws for others.
kernels::UnaryOp fused_function(const UnaryWithParam& activation);

}  // namespace ttnn_cpu::matmul_op
