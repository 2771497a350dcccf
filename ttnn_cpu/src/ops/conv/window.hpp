// SPDX-License-Identifier: Apache-2.0
#pragma once

// A window that slides over images: which input a core needs for its part of the output, and how large the tables are
// that its readers follow.
#include <array>
#include <cstdint>
#include <vector>

namespace ttnn_cpu::sliding {

using Pair = std::array<std::uint32_t, 2>;     // {height, width}
using Padding = std::array<std::uint32_t, 4>;  // {top, bottom, left, right}

struct Window {
    std::uint32_t batch = 1;
    Pair input{1, 1};
    Pair kernel{1, 1};
    Pair stride{1, 1};
    Padding padding{0, 0, 0, 0};
    Pair dilation{1, 1};
    // Rows and columns behind the padding that only ceil_mode reaches.
    Pair ceil_pad{0, 0};
    std::uint32_t cores_nhw = 1;
    bool snap_to_tile = false;  // output shards are whole tiles high

    std::uint32_t padded(int axis) const {
        return input[axis] + padding[2 * axis] + padding[2 * axis + 1] + ceil_pad[axis];
    }
    std::uint32_t reach(int axis) const { return dilation[axis] * (kernel[axis] - 1) + 1; }
    std::uint32_t output(int axis) const { return (padded(axis) - reach(axis)) / stride[axis] + 1; }
    std::uint32_t output_pixels() const { return batch * output(0) * output(1); }
    std::uint32_t output_shard_height() const;
    // The padded pixel at the top left of the window of an output pixel.
    std::uint32_t top_left(std::uint32_t output_pixel) const;
};

// What ceil_mode adds below and to the right.
Pair ceil_padding(const Window& window);

// Both ends included.
struct ShardRange {
    std::uint32_t output_first;
    std::uint32_t output_last;
    std::uint32_t input_first;  // padded pixels
    std::uint32_t input_last;
};

std::vector<ShardRange> shard_ranges(const Window& window);
// Padded pixels that the core with the most of them needs.
std::uint32_t max_halo_sticks(const Window& window);

// Elements (uint16) that a core's table of window positions takes. first and second are the output rows that the two
// readers take in turn; second is 0 for one reader.
std::uint32_t reader_table_length(const Window& window, std::uint32_t first, std::uint32_t second, bool many_blocks);

// Elements (uint16) a core of the four tables of the halo: padding for both readers, then gathers for both.
std::array<std::uint32_t, 4> halo_table_lengths(
    const Window& window, std::uint32_t input_shard_height, bool tiled_input);

}  // namespace ttnn_cpu::sliding
