// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn::experimental {

// x * cos + (x trans_mat) * sin, tile by tile of 32 columns; all BFLOAT16, TILE. A trans_mat [1, 1, 32, 32] with -1 at
// [odd, even] and 1 at [even, odd] of a pair turns neighbours: (-x1, x0, -x3, x2 ...).
// Prefill: input [1, heads, seq, head_dim] and cos, sin [1, 1 or heads, seq or more, head_dim], interleaved.
// Decode: input [1, users, heads, head_dim] and cos, sin [1, users, 1, head_dim], sharded by height, one user a core;
// trans_mat has a copy on each of these cores.
ttnn::Tensor rotary_embedding_llama(
    const Tensor& input_tensor, const Tensor& cos_cache, const Tensor& sin_cache, const Tensor& trans_mat,
    bool is_decode_mode = false, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    std::optional<const ttnn::DeviceComputeKernelConfig> compute_kernel_config = std::nullopt);

}  // namespace ttnn::experimental
