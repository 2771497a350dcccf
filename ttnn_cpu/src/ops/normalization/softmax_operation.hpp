// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device operation behind the softmax functions.
#include <cstdint>
#include <optional>
#include <string_view>

#include <ttnn/operations/core/compute_kernel/compute_kernel_config.hpp>
#include <ttnn/operations/normalization/softmax/device/softmax_operation_types.hpp>
#include <ttnn/tensor/tensor.hpp>
#include <ttnn/types.hpp>

#include <ttnn_cpu/device_options.hpp>

#include "core/program.hpp"

namespace ttnn_cpu {

enum class SoftmaxKind : std::uint8_t {
    Softmax,
    ScaleMaskSoftmax,
    SoftmaxInPlace,
    ScaleMaskSoftmaxInPlace,
    ScaleCausalMaskHWSoftmaxInPlace
};
std::string_view to_string(SoftmaxKind kind);

struct SoftmaxOperation {
    std::string_view function;  // for messages
    SoftmaxKind kind = SoftmaxKind::Softmax;
    std::size_t dim = 3;
    std::optional<float> scale;
    ttnn::MemoryConfig memory;
    ttnn::SoftmaxProgramConfig program_config;
    bool is_causal_mask = false;
    ttnn::DeviceComputeKernelConfig config;
    bool numeric_stable = true;

    bool in_place() const { return kind >= SoftmaxKind::SoftmaxInPlace; }
    bool hw_dims() const { return kind == SoftmaxKind::ScaleCausalMaskHWSoftmaxInPlace; }
    const ttnn::SoftmaxShardedMultiCoreProgramConfig* sharded() const {
        return std::get_if<ttnn::SoftmaxShardedMultiCoreProgramConfig>(&program_config);
    }
};

using OptionalTensor = std::optional<const ttnn::Tensor>;

ttnn::DeviceComputeKernelConfig softmax_compute_config(
    const ttnn::Tensor& input, const std::optional<const ttnn::DeviceComputeKernelConfig>& given);

// Throws what TTNN says about arguments that break its rules.
void check_softmax(const SoftmaxOperation& op, const ttnn::Tensor& input, const OptionalTensor& mask);
Program softmax_program(
    const SoftmaxOperation& op, const ttnn::Tensor& input, const OptionalTensor& mask, Numerics numerics);

// Checks and runs. The input has rank 4 or more and TILE layout.
ttnn::Tensor run_softmax(const SoftmaxOperation& op, const ttnn::Tensor& input, const OptionalTensor& mask);

// What the functions of the same names do once arguments have their final form: also called by the attention ops, as in
// TTNN.
ttnn::Tensor softmax_over_dim(
    std::string_view function, const ttnn::Tensor& input, std::size_t dim, const ttnn::MemoryConfig& memory,
    const std::optional<const ttnn::DeviceComputeKernelConfig>& config, bool numeric_stable);
ttnn::Tensor scale_mask_softmax(
    std::string_view function, const ttnn::Tensor& input, std::optional<float> scale, const OptionalTensor& mask,
    const ttnn::MemoryConfig& memory, bool is_causal_mask,
    const std::optional<const ttnn::DeviceComputeKernelConfig>& config, bool numeric_stable);

}  // namespace ttnn_cpu
