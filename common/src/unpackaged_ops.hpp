// SPDX-License-Identifier: Apache-2.0
#pragma once

// Ops that the libraries of tt-metal v0.77.0 export and whose headers its packages lack, or hold without what those include: there
// they are declared here, as v0.77.0 declares them. Everywhere else this is just the headers.
#include <array>
#include <optional>
#include <tuple>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/transformer/sdpa_config.hpp"
#include "ttnn/types.hpp"

#if __has_include("ttnn/operations/experimental/transformer/nlp_concat_heads_decode/nlp_concat_heads_decode.hpp")
#include "ttnn/operations/experimental/transformer/nlp_concat_heads_decode/nlp_concat_heads_decode.hpp"
#include "ttnn/operations/experimental/transformer/nlp_create_qkv_heads_decode/nlp_create_qkv_heads_decode.hpp"
#else
namespace ttnn::experimental {

Tensor nlp_concat_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

std::tuple<Tensor, Tensor, Tensor> nlp_create_qkv_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, std::optional<const uint32_t> num_kv_heads,
    std::optional<std::array<Tensor, 3>>& optional_output_tensors, std::optional<const bool> overlap_qk_coregrid = true,
    const std::optional<const Tensor>& batch_offset = std::nullopt,
    std::optional<const uint32_t> slice_size = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn::experimental
#endif

#if __has_include(                                                                     \
    "ttnn/operations/transformer/sdpa/device/ring_joint_sdpa_device_operation.hpp") && \
    !__has_include("ttnn/operations/transformer/sdpa/device/exp_ring_joint_sdpa_device_operation.hpp")
namespace ttnn::transformer {

Tensor scaled_dot_product_attention(
    const Tensor& input_tensor_q, const Tensor& input_tensor_k, const Tensor& input_tensor_v,
    const std::optional<Tensor>& attn_mask = std::nullopt, bool is_causal = true,
    std::optional<float> scale = std::nullopt, std::optional<uint32_t> sliding_window_size = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<operations::transformer::SDPAProgramConfig> program_config = std::nullopt,
    std::optional<DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    const std::optional<Tensor>& attention_sink = std::nullopt,
    const std::optional<Tensor>& cu_window_seqlens = std::nullopt);

}  // namespace ttnn::transformer
#else
#include "ttnn/operations/transformer/sdpa/sdpa.hpp"
#endif
