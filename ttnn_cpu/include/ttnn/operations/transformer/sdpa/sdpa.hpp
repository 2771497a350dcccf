// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/transformer/sdpa_config.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn::transformer {

// softmax(q k^T * scale + mask) v for q [batch, heads, sq, d] and k, v [batch, kv_heads, sk, d]: TILE, interleaved,
// BFLOAT16 or block floats. The scale is 1/sqrt(d) unless given. The mask is [1 or batch, 1 or heads, sq, sk] in DRAM,
// and not for causal attention, which needs sq == sk. Where sk is no multiple of 32, the mask's tile padding must hide
// the keys there: make it with a pad_value of minus infinity.
ttnn::Tensor scaled_dot_product_attention(
    const ttnn::Tensor& input_tensor_q, const ttnn::Tensor& input_tensor_k, const ttnn::Tensor& input_tensor_v,
    const std::optional<ttnn::Tensor>& attn_mask = std::nullopt, bool is_causal = true,
    std::optional<float> scale = std::nullopt, std::optional<uint32_t> sliding_window_size = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<operations::transformer::SDPAProgramConfig> program_config = std::nullopt,
    std::optional<DeviceComputeKernelConfig> compute_kernel_config = std::nullopt);

}  // namespace ttnn::transformer
