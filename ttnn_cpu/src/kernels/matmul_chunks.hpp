// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

// How a matmul is cut into chunks of work: by its shape alone, so that bits do not depend on the number of threads.
namespace ttnn_cpu::kernels {

// A panel of weights and a block of sums fit into L2 together.
inline constexpr std::size_t kPanel = 256;  // columns, at most
inline constexpr std::size_t kRows = 192;   // at most
inline constexpr std::size_t kNarrowPanel = 64;
inline constexpr std::size_t kWide = 512;
inline constexpr std::size_t kDirectRows = 56;          // of a block that stays close to the core: 7 x 7 pixels are one
inline constexpr std::size_t kDirectBytes = 256 << 10;  // of such a block, at most
inline constexpr std::size_t kDirectChunkRows = 48;
inline constexpr std::size_t kDirectChunks = 16;

inline std::size_t blocks(std::size_t total, std::size_t block) { return (total + block - 1) / block; }
inline std::size_t round_up(std::size_t value, std::size_t to) { return blocks(value, to) * to; }

// Blocks of nearly equal height, at most kRows, so that no chunk is much smaller than the rest: one, or an even number, which
// two threads or four share out well.
inline std::size_t block_rows(std::size_t rows) {
    const std::size_t wanted = blocks(rows, kRows);
    return round_up(blocks(rows, wanted == 1 ? 1 : round_up(wanted, 2)), 6);
}

// Panels of nearly equal width, at most kPanel. Four of them or a multiple of it, else two, if that leaves them wide enough
// for the vector unit. Narrow matrices are cut only where there is nothing else to share out; wide ones alike for any number
// of rows, so that they are packed once.
inline std::size_t panel_width(std::size_t n, bool one_row_block) {
    std::size_t count = blocks(n, kPanel);
    for (const std::size_t multiple : {2, 4}) {
        const std::size_t more = round_up(count, multiple);
        if (n / more >= kNarrowPanel && (one_row_block || n >= kWide)) {
            count = more;
        }
    }
    return round_up(blocks(n, count), 16);
}

// Of a product without a library. Where rows are few, chunks share out the columns too.
struct DirectChunk {
    std::size_t rows;
    std::size_t panels;
};

inline DirectChunk direct_chunk(std::size_t rows, std::size_t panel_count) {
    const std::size_t row_chunks = std::clamp<std::size_t>(rows / kDirectChunkRows, 1, kDirectChunks);
    return {blocks(rows, row_chunks), blocks(panel_count, std::min(panel_count, kDirectChunks / row_chunks))};
}

}  // namespace ttnn_cpu::kernels
