// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt_stl/span.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// The same memory under another shape. The last dimension stays; in tiles the one before it stays too, or both are
// multiples of 32.
[[nodiscard]] ttnn::Tensor view(const ttnn::Tensor& input_tensor, const ttnn::Shape& logical_shape);
[[nodiscard]] ttnn::Tensor view(const ttnn::Tensor& input_tensor, ttsl::Span<const int32_t> shape_vector);

}  // namespace ttnn
