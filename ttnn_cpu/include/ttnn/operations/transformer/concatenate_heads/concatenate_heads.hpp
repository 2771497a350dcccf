// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn::transformer {

// From [batch, heads, seq, head_size] to [batch, seq, heads * head_size]. Head size is a multiple of 32.
[[nodiscard]] ttnn::Tensor concatenate_heads(
    const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn::transformer
