// SPDX-License-Identifier: Apache-2.0
#pragma once

// The parts of causal models in float32 on libtorch's tensors: what goldens are made of. For torch_*.cpp only.

#include <ATen/ATen.h>

#include <cstdint>
#include <optional>
#include <span>

#include "zoo/causal/weights.hpp"

namespace zoo::causal {

// Keys and values of one layer, [users, heads, positions, head_size], and where the new ones go.
struct Cache {
    at::Tensor keys;
    at::Tensor values;
    std::int64_t user = 0;
    std::int64_t position = 0;
};

namespace network {

// Without a bias where the weights have none.
[[nodiscard]] at::Tensor linear(const Linear& weights, const at::Tensor& x);
[[nodiscard]] at::Tensor layer_norm(double epsilon, const LayerNorm& weights, const at::Tensor& x);
// Rows of a table, [1, ids, width].
[[nodiscard]] at::Tensor look_up(const HostTensor& table, std::span<const std::int32_t> ids);
// Heads [1, heads, sequence, head_size], each token looking at itself and those before, to [1, sequence, hidden]. With a cache, the
// sequence stands at its position and sees what is there.
[[nodiscard]] at::Tensor attend(
    const at::Tensor& query, at::Tensor key, at::Tensor value, const std::optional<Cache>& cache);

}  // namespace network
}  // namespace zoo::causal
