// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn::experimental {

// From [1, users, heads, head_dim], one user a core from core (0, 0) on, to [1, 1, 32, num_heads * head_dim], one head a core;
// rows past the users are zero here and undefined on the card. Users whose cores are not one rectangle need sub_core_grids, which the
// heads are taken from. memory_config is ignored, as TTNN ignores it; an output to write into is not implemented.
ttnn::Tensor nlp_concat_heads_decode(
    const Tensor& input_tensor, uint32_t num_heads, const std::optional<MemoryConfig>& memory_config = std::nullopt,
    const std::optional<Tensor>& optional_output_tensor = std::nullopt,
    const std::optional<CoreRangeSet>& sub_core_grids = std::nullopt);

}  // namespace ttnn::experimental
