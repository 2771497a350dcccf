// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ttnn/types.hpp"

namespace ttnn {

// Puts a dimension of size 1 before dimension `dim`; -1 puts it last.
[[nodiscard]] ttnn::Tensor unsqueeze(const ttnn::Tensor& input_tensor, int dim);

}  // namespace ttnn
