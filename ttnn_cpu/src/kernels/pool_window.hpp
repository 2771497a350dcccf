// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "kernels/reduce.hpp"
#include "kernels/stored_matrix.hpp"

// Pooling of images that are stored as matrices, pixels by channels.
namespace ttnn_cpu::kernels {

struct PoolImages {
    std::size_t batch = 1;
    std::size_t in_h = 1;
    std::size_t in_w = 1;
    std::size_t channels = 1;
    std::size_t out_h = 1;
    std::size_t out_w = 1;
    std::array<std::size_t, 2> kernel{1, 1};
    std::array<std::size_t, 2> stride{1, 1};
    std::array<std::size_t, 2> dilation{1, 1};
    std::array<std::size_t, 4> padding{0, 0, 0, 0};  // top, bottom, left, right, without what ceil mode adds
    StoredMatrix in;
    StoredMatrix out;
};

// The largest value of each window. Exact, so that it is the card's in every mode.
void max_pool(const PoolImages& images, const std::byte* in, std::byte* out);

struct AveragePool {
    bool count_include_pad = true;
    std::size_t divisor = 0;  // 0: the size of the window
    // As the card's reduce instructions sum: in tiles of `tile_rows` rows, with a bfloat16 or float32 destination.
    bool exact = false;
    std::size_t tile_rows = 32;
    bool float32_destination = false;
};

void average_pool(const PoolImages& images, const AveragePool& average, const std::byte* in, std::byte* out);

// out [batch, channels]: the sum over in_h * in_w pixels, as the card's reduction gives it. row_stride: stored rows from
// one image to the next.
void global_sum(
    const PoolImages& images, std::size_t row_stride, const ReduceSpec& spec, const std::byte* in, std::byte* out);

}  // namespace ttnn_cpu::kernels
