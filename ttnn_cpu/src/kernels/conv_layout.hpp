// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

// The order in which a convolution's products are summed: K of the matrix product that it is on the card. Prepared
// weights are a matrix [stored_rows, output channels]; the engine meets its rows in blocks of block_tiles tiles, in an
// order of its own.
namespace ttnn_cpu::kernels {

// `count` channels of one tap of the window, one after the other.
struct ConvSegment {
    std::size_t stored_row;
    std::size_t engine_row;
    std::size_t tap_h;
    std::size_t tap_w;
    std::size_t channel;
    std::size_t count;
};

struct ConvLayout {
    std::size_t kernel_h = 1;
    std::size_t kernel_w = 1;
    std::size_t channels = 0;  // padded
    std::size_t rows = 0;      // stored, and of the engine; what no segment names is zero
    std::size_t block_tiles = 0;
    std::vector<ConvSegment> segments;

    std::size_t blocks() const { return rows / 32 / block_tiles; }
};

// Blocks are a row of the window, or all of it.
ConvLayout height_sharded_layout(std::size_t kernel_h, std::size_t kernel_w, std::size_t channels, bool whole_window);

// The channels lie on `shards` cores: stored by core, met by row of the window.
ConvLayout block_sharded_layout(
    std::size_t kernel_h, std::size_t kernel_w, std::size_t channels, std::size_t shards, bool whole_window);

// The channels lie on `shards` cores, each of which sends them in `parts`: stored by tap, met by part and core.
ConvLayout width_sharded_layout(
    std::size_t kernel_h, std::size_t kernel_w, std::size_t channels, std::size_t shards, std::size_t parts);

}  // namespace ttnn_cpu::kernels
