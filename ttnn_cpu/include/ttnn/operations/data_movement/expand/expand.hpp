// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tt_stl/span.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Repeats dimensions of size 1 up to the shape; -1 keeps a dimension.
[[nodiscard]] Tensor expand(
    const ttnn::Tensor& tensor, ttsl::Span<const int32_t> shape_vector,
    const std::optional<MemoryConfig>& memory_config = std::nullopt);

}  // namespace ttnn
