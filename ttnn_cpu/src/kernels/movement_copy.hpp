// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

// Copies between matrices in memory that differ in shape, order or padding. Sizes and strides count elements; an
// element has 1, 2 or 4 bytes. Chunks of work do not depend on the number of threads.
namespace ttnn_cpu::kernels {

// out[out_offset + sum(i * out_stride)] = in[in_offset + sum(i * in_stride)] for every index. Input strides may be 0.
struct StridedMove {
    std::vector<std::size_t> sizes;
    std::vector<std::size_t> in_strides;
    std::vector<std::size_t> out_strides;
    std::size_t in_offset = 0;
    std::size_t out_offset = 0;
};

// The same move with as few dimensions as possible, outermost in the output first.
StridedMove simplify(const StridedMove& move);

// `move` must be simplified; in and out may not overlap.
void strided_move(const StridedMove& move, std::size_t element_bytes, const std::byte* in, std::byte* out);

// A tensor's matrix: `slices` of height x width elements, each padded to padded_height x padded_width.
struct MatrixShape {
    std::size_t slices = 1;
    std::size_t height = 1;
    std::size_t width = 1;
    std::size_t padded_height = 1;
    std::size_t padded_width = 1;

    bool padded() const { return height != padded_height || width != padded_width; }
    std::size_t elements() const { return slices * height * width; }
    std::size_t padded_elements() const { return slices * padded_height * padded_width; }
};

// Copies the elements in row-major order from one shape to another with as many; padding of the output stays as it is.
void reshape_rows(
    const MatrixShape& in_shape, const MatrixShape& out_shape, std::size_t element_bytes, const std::byte* in,
    std::byte* out);

// Writes the low element_bytes of `value` to every element of the padding.
void fill_padding(const MatrixShape& shape, std::size_t element_bytes, std::uint32_t value, std::byte* data);

void fill(std::size_t elements, std::size_t element_bytes, std::uint32_t value, std::byte* data);

// memcpy in parallel.
void copy_bytes(std::size_t bytes, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu::kernels
