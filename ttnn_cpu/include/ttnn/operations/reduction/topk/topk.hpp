// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ttnn/tensor/tensor.hpp"
#include "ttnn/types.hpp"

namespace ttnn {

// {values, indices} of the k largest (or smallest) along a dimension, in order. TILE layout; BFLOAT16, BFLOAT8_B or
// FLOAT32; interleaved output. Indices are UINT16, or UINT32 for FLOAT32 input and for dimensions over 65535. Equal
// values come in the order of their places.
std::vector<Tensor> topk(
    const Tensor& input_tensor, uint32_t k, int8_t dim, bool largest, bool sorted,
    const std::optional<tt::tt_metal::MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn
