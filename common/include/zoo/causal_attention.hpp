// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"
#include "zoo/causal_pipeline.hpp"

// The parts of causal attention over caches that are the same for every model: where keys and values go, and how a sequence or a
// single token looks at them.
namespace zoo {

struct KeyValueCache {
    ttnn::Tensor key;  // [users, heads, positions, head_size], TILE, in DRAM
    ttnn::Tensor value;
};

// One for each layer, filled with zeros. positions is rounded up to whole tiles.
[[nodiscard]] std::vector<KeyValueCache> make_caches(
    ttnn::MeshDevice& device, std::int64_t layers, std::int64_t users, std::int64_t heads, std::int64_t positions,
    std::int64_t head_size);

struct Heads {
    ttnn::Tensor query;
    ttnn::Tensor key;
    ttnn::Tensor value;
};

// From [1, 1, sequence, 3 * hidden] (query, key, value side by side) to heads [1, heads, sequence, head_size].
[[nodiscard]] Heads split_sequence_heads(
    const ttnn::Tensor& fused, std::int64_t num_heads, const std::optional<ttnn::MemoryConfig>& memory = std::nullopt);
// From [1, 1, users, 3 * hidden] to heads [1, users, heads, head_size], one user a core.
[[nodiscard]] Heads split_token_heads(const ttnn::Tensor& fused, std::int64_t num_heads);

// Keys and values of a whole sequence, from position 0 on.
void store_sequence(const KeyValueCache& cache, const Heads& heads, std::int64_t user);
// Those of one token a user, at its position.
void store_token(const KeyValueCache& cache, const Heads& heads, const ttnn::Tensor& cur_pos);

// Each token looks at itself and those before: [1, 1, sequence, hidden].
[[nodiscard]] ttnn::Tensor attend_sequence(
    const Heads& heads, const ttnn::DeviceComputeKernelConfig& kernel,
    const std::optional<ttnn::MemoryConfig>& memory = std::nullopt);
// One token a user over its cache: [1, 1, users, hidden]. memory is that of the result, interleaved.
[[nodiscard]] ttnn::Tensor attend_token(
    const ttnn::Tensor& query, const KeyValueCache& cache, const ttnn::Tensor& cur_pos,
    const ttnn::DeviceComputeKernelConfig& kernel, const std::optional<ttnn::MemoryConfig>& memory = std::nullopt);

// What was looked up in a table, [1, rows, width], as [1, 1, rows, width].
[[nodiscard]] ttnn::Tensor as_hidden(const ttnn::Tensor& found);
// Token `index` of [1, 1, sequence, hidden].
[[nodiscard]] ttnn::Tensor take_token(const ttnn::Tensor& hidden, std::int64_t index);
// Logits [1, 1, users, vocab_size] in rows, and the place of the largest of each.
[[nodiscard]] StepOutputs pick_likeliest(const ttnn::Tensor& logits);

}  // namespace zoo
