// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ttnn/types.hpp"

namespace ttnn::experimental {

// From [batch, heads, seq, head_size] to [batch, 1, seq, heads * head_size].
[[nodiscard]] ttnn::Tensor nlp_concat_heads(
    const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn::experimental
