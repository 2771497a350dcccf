// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt_stl/small_vector.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

// Drops the dimensions of size 1 among those named, or all of them.
[[nodiscard]] Tensor squeeze(const Tensor& input_tensor, const ttsl::SmallVector<int>& dim);
[[nodiscard]] Tensor squeeze(const Tensor& input_tensor, int dim);
[[nodiscard]] Tensor squeeze(const Tensor& input_tensor);

}  // namespace ttnn
