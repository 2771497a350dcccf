// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include <tt-metalium/mesh_coord.hpp>

#include "ttnn/operations/core/compute_kernel/compute_kernel_config.hpp"
#include "ttnn/operations/core/core.hpp"

namespace ttnn {

using MeshCoordinate = tt::tt_metal::distributed::MeshCoordinate;

}  // namespace ttnn

namespace ttnn::experimental {

// Row h of user u of input [1, users, heads, head_dim], sharded with one user a core, goes to cache [users, heads, positions,
// head_dim] at position update_idxs[u], or that of update_idxs_tensor [users] (INT32, ROW_MAJOR), which may change between replays
// of a trace. A negative position of the tensor writes nothing. Writes into the cache and returns it. Page tables and what belongs to
// them are not implemented.
ttnn::Tensor paged_update_cache(
    const Tensor& cache_tensor, const Tensor& input_tensor, const std::vector<uint32_t>& update_idxs,
    const std::optional<const Tensor>& update_idxs_tensor, std::optional<bool> share_cache,
    const std::optional<const Tensor>& page_table, uint32_t batch_offset,
    std::optional<const ttnn::DeviceComputeKernelConfig> compute_kernel_config,
    const std::optional<const std::set<ttnn::MeshCoordinate>>& mesh_coords,
    std::optional<uint32_t> block_size_override = std::nullopt,
    std::optional<uint32_t> num_kv_heads_override = std::nullopt,
    std::optional<uint32_t> cache_position_modulo = std::nullopt);

}  // namespace ttnn::experimental
