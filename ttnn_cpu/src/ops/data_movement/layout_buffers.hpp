// SPDX-License-Identifier: Apache-2.0
#pragma once

// Circular buffers of the programs that turn rows into tiles and back, bytes a core: which program TTNN picks, and what it takes.
#include <cstdint>

#include <ttnn/tensor/tensor.hpp>

namespace ttnn_cpu {

// Of tilize, and of tilize_with_val_padding where `pads`.
std::uint64_t tilize_buffers(const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& output, bool pads);
// Of untilize, and of untilize_with_unpadding where `unpads`.
std::uint64_t untilize_buffers(const ttnn::Tensor& input, const tt::tt_metal::TensorSpec& output, bool unpads);

}  // namespace ttnn_cpu
