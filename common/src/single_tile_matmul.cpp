// SPDX-License-Identifier: Apache-2.0
#include "zoo/single_tile_matmul.hpp"

#include <algorithm>

namespace zoo {
namespace {

constexpr std::size_t kTile = 32;
// Tiles that the destination register holds with float32 sums.
constexpr std::size_t kDestTiles = 4;
// Wider blocks of the inner dimension mean fewer passes and larger circular buffers.
constexpr std::size_t kMaxInnerBlock = 4;

std::size_t largest_divisor(std::size_t number, std::size_t limit) {
    std::size_t divisor = std::min(number, limit);
    while (number % divisor != 0) {
        --divisor;
    }
    return divisor;
}

}  // namespace

ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig single_tile_matmul(
    const ttnn::CoreCoord& grid, std::int64_t in, std::int64_t out,
    std::optional<ttnn::operations::unary::UnaryWithParam> activation) {
    const std::size_t inner = (static_cast<std::size_t>(in) + kTile - 1) / kTile;
    const std::size_t outer = (static_cast<std::size_t>(out) + kTile - 1) / kTile;
    const std::size_t cores = grid.x * grid.y;
    const std::size_t width = (outer + cores - 1) / cores;
    return {
        .compute_with_storage_grid_size = grid,
        .in0_block_w = largest_divisor(inner, kMaxInnerBlock),
        .out_subblock_h = 1,
        .out_subblock_w = largest_divisor(width, kDestTiles),
        .out_block_h = 1,
        .out_block_w = width,
        .per_core_M = 1,
        .per_core_N = width,
        .fuse_batch = true,
        .fused_activation = activation,
        .mcast_in0 = true};
}

}  // namespace zoo
