// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ttnn/operations/transformer/sdpa_config.hpp>

#include "core/json_text.hpp"

namespace ttnn_cpu {

inline JsonText to_json(const ttnn::operations::transformer::SDPAProgramConfig& config) {
    JsonText json;
    json.field("compute_with_storage_grid_size", config.compute_with_storage_grid_size)
        .field("sub_core_grids", config.sub_core_grids)
        .field("q_chunk_size", config.q_chunk_size)
        .field("k_chunk_size", config.k_chunk_size)
        .field("exp_approx_mode", config.exp_approx_mode)
        .field("max_cores_per_head_batch", config.max_cores_per_head_batch);
    return json;
}

}  // namespace ttnn_cpu
