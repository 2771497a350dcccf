// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <ttnn/tensor/tensor.hpp>

namespace ttnn_cpu {

// Fills `output` with the bytes that lie `distance` behind it in its memory. Both places may overlap; the tensor that is
// moved is free already, which is why it is named by its distance.
void launch_move(const ttnn::Tensor& output, std::ptrdiff_t distance);

}  // namespace ttnn_cpu
