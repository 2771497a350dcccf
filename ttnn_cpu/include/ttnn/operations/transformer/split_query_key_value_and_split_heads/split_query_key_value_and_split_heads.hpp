// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include "ttnn/types.hpp"

namespace ttnn::transformer {

// From [batch, seq, 3 * hidden] (Q, K, V side by side), or Q [batch, seq, hidden] and KV [batch, seq, 2 * hidden], to Q, K and V of
// [batch, heads, seq, head_size]; with transpose_key K is [batch, heads, head_size, seq]. Head size is a multiple of 32. A
// BLOCK_SHARDED input has one batch a row of shards, and its columns are Q, K, V of one key head after the other; the results are
// HEIGHT_SHARDED.
[[nodiscard]] std::tuple<Tensor, Tensor, Tensor> split_query_key_value_and_split_heads(
    const Tensor& input_tensor, const std::optional<Tensor>& input_tensor_kv, std::uint32_t num_heads,
    std::optional<std::uint32_t> num_kv_heads, bool transpose_key, const std::optional<MemoryConfig>& memory_config);

}  // namespace ttnn::transformer
