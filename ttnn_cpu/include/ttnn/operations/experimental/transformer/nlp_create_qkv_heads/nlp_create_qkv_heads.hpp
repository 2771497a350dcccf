// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "ttnn/types.hpp"

namespace ttnn::experimental {

// As transformer::split_query_key_value_and_split_heads, from [batch, 1, seq, (num_q_heads + 2 * num_kv_heads) * head_size].
// Interleaved tensors only.
[[nodiscard]] std::tuple<Tensor, Tensor, Tensor> nlp_create_qkv_heads(
    const Tensor& input_tensor_q, const std::optional<Tensor>& input_tensor_kv, std::uint32_t num_q_heads,
    std::optional<std::uint32_t> num_kv_heads, bool transpose_k_heads,
    const std::optional<MemoryConfig>& memory_config);

}  // namespace ttnn::experimental
