// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/transformer/sdpa_config.hpp"
#include "ttnn/types.hpp"

namespace ttnn::transformer {

// One new token a user: softmax(q k^T * scale) v over the positions up to and with the user's own. q is [1, users, heads,
// head_dim], sharded by height or in DRAM; k and v are caches [users, kv_heads, positions, head_dim] in DRAM. Positions come
// from cur_pos or from cur_pos_tensor [users] (INT32, ROW_MAJOR), which may change between replays of a trace; a negative one
// skips the user, whose result is then zero here and undefined on the card. Only the causal form is implemented.
ttnn::Tensor scaled_dot_product_attention_decode(
    const ttnn::Tensor& input_tensor_q, const ttnn::Tensor& input_tensor_k, const ttnn::Tensor& input_tensor_v,
    bool is_causal = true, const std::optional<const Tensor>& attn_mask = std::nullopt,
    const std::vector<uint32_t>& cur_pos = std::vector<uint32_t>(),
    const std::optional<const Tensor>& cur_pos_tensor = std::nullopt,
    const std::optional<const Tensor>& attention_sink = std::nullopt, std::optional<float> scale = std::nullopt,
    std::optional<uint32_t> sliding_window_size = std::nullopt,
    const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<operations::transformer::SDPAProgramConfig> program_config = std::nullopt,
    std::optional<DeviceComputeKernelConfig> compute_kernel_config = std::nullopt,
    std::optional<bool> share_cache = std::nullopt);

}  // namespace ttnn::transformer
