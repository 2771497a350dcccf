// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace ttnn_cpu::kernels {

// Strides from row to row, in elements.
struct TransposeShape {
    std::size_t rows;
    std::size_t columns;
    std::size_t in_stride;
    std::size_t out_stride;
};

// out[column][row] = in[row][column] for elements of 1, 2 or 4 bytes, on the calling thread.
void transpose_block(const TransposeShape& shape, std::size_t element_bytes, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu::kernels
