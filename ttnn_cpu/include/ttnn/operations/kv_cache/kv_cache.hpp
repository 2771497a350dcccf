// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/types.hpp"

// Keys or values of earlier tokens: cache is [batch, heads, positions, head_dim], TILE, interleaved. All write into the cache
// and return it.
namespace ttnn {

// input [1, heads, seq, head_dim] of the cache's dtype goes to the positions of one user from update_idx on, a multiple of
// 32; the tile padding of input goes along.
ttnn::Tensor fill_cache(
    const ttnn::Tensor& cache_tensor, const ttnn::Tensor& input_tensor, uint32_t batch_idx, uint32_t update_idx = 0);
ttnn::Tensor fill_cache_for_user_(
    const ttnn::Tensor& cache, const ttnn::Tensor& input, uint32_t batch_index, uint32_t update_idx = 0);

// input [1, heads, users, head_dim]: row batch_offset + u goes to position update_idx of user u.
ttnn::Tensor update_cache(
    const ttnn::Tensor& cache, const ttnn::Tensor& input, uint32_t update_idx, uint32_t batch_offset = 0,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt);
ttnn::Tensor update_cache_for_token_(
    const ttnn::Tensor& cache, const ttnn::Tensor& input, uint32_t update_index, uint32_t batch_offset,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config = std::nullopt);

}  // namespace ttnn
