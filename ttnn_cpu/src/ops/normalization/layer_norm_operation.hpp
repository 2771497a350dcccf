// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device operation behind layer_norm and rms_norm.
#include <cstdint>
#include <optional>
#include <string_view>

#include <ttnn/operations/core/compute_kernel/compute_kernel_config.hpp>
#include <ttnn/operations/normalization/layernorm/device/layernorm_types.hpp>
#include <ttnn/tensor/tensor.hpp>
#include <ttnn/types.hpp>

#include "core/program.hpp"

namespace ttnn_cpu {

using OptionalTensor = std::optional<const ttnn::Tensor>;

struct LayerNormOperation {
    std::string_view function;  // for messages
    bool rms = false;
    float epsilon = 1e-12F;
    ttnn::MemoryConfig memory;
    ttnn::prim::LayerNormProgramConfig program_config;
    ttnn::DeviceComputeKernelConfig config;

    const ttnn::prim::LayerNormShardedMultiCoreProgramConfig* sharded() const {
        return std::get_if<ttnn::prim::LayerNormShardedMultiCoreProgramConfig>(&program_config);
    }
    bool in_place() const { return sharded() != nullptr && sharded()->inplace; }
    bool welford() const;
};

struct LayerNormTensors {
    const ttnn::Tensor& input;
    const OptionalTensor& weight;
    const OptionalTensor& bias;
    const OptionalTensor& residual;
    const OptionalTensor& recip;
};

// The config that TTNN takes when none is given.
ttnn::prim::LayerNormProgramConfig default_layer_norm_program(const ttnn::Tensor& input);

// Throws what TTNN says about arguments that break its rules.
void check_layer_norm(const LayerNormOperation& op, const LayerNormTensors& tensors);

ttnn::Tensor run_layer_norm(const LayerNormOperation& op, const LayerNormTensors& tensors);

}  // namespace ttnn_cpu
