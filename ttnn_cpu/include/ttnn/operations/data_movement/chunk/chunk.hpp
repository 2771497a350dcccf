// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ttnn/types.hpp"

namespace ttnn {

// At most num_chunks slices of one size; the last one may be smaller.
[[nodiscard]] std::vector<ttnn::Tensor> chunk(const ttnn::Tensor& input_tensor, uint32_t num_chunks, int dim);

}  // namespace ttnn
