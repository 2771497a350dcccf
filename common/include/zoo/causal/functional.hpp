// SPDX-License-Identifier: Apache-2.0
#pragma once

// The layers of causal models in bfloat16, interleaved, with default configs.

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"
#include "zoo/layer_parameters.hpp"

namespace zoo::causal::functional {

inline const ttnn::DeviceComputeKernelConfig kAttention{
    .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false};

// activation: a name that ttnn::linear knows, or null.
[[nodiscard]] ttnn::Tensor linear(
    const LinearParameters& parameters, const ttnn::Tensor& x, const char* activation = nullptr);
[[nodiscard]] ttnn::Tensor layer_norm(double epsilon, const LayerNormParameters& parameters, const ttnn::Tensor& x);
// ids [1, rows], UINT32, ROW_MAJOR, to [1, rows, width of the table].
[[nodiscard]] ttnn::Tensor look_up(const ttnn::Tensor& ids, const ttnn::Tensor& table);

}  // namespace zoo::causal::functional
