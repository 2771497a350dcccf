// SPDX-License-Identifier: Apache-2.0
#include "ops/pool/pool_plan.hpp"

#include <algorithm>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace ttnn_cpu::pool_op {

using tt::tt_metal::BufferType;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::ShardSpec;

namespace {

constexpr std::uint32_t kTile = 32;
constexpr std::uint32_t kFace = 16;

std::uint32_t up(std::uint32_t value, std::uint32_t multiple) {
    return static_cast<std::uint32_t>(round_up(value, multiple));
}

ParallelConfig parallel_for_scheme(
    const Pool& pool, TensorMemoryLayout scheme, std::uint32_t alignment, bool tiled_input, MeshDevice& device) {
    return sliding::choose_parallel_config(
        {.scheme = scheme,
         .batch = pool.window.batch,
         .in_channels = pool.channels,
         .out_height = pool.window.output(0),
         .out_width = pool.window.output(1),
         .out_channels = pool.channels,
         .channels_alignment = alignment,
         .grid = device.compute_with_storage_grid_size(),
         .pad_channels = false,
         .whole_tiles_high = pool.tiled_output(),
         .whole_tiles_wide = tiled_input || pool.tiled_output()});
}

// Circular buffers and output of a pool on these cores, as TTNN compares the ways to shard.
std::uint64_t estimate(const Pool& pool, const ParallelConfig& parallel) {
    const MemoryConfig memory = sliding::sharded_memory(
        pool.window.output_pixels(), up(pool.channels, parallel.cores_channels() * kFace), parallel, kTile);
    const auto& shard = memory.shard_spec()->shape;
    const std::uint64_t output =
        pool.tiled_output()
            ? std::uint64_t{shard[0]} * shard[1] / (kTile * kTile) * storage_bytes(pool.dtype, kTile * kTile)
            : std::uint64_t{shard[0]} * (shard[1] / kFace) * std::min(kFace, shard[1]) * 2;
    const std::uint32_t tables = shard[0] * 6 + 2 + (pool.one_scalar() ? 0 : shard[0] * 6);
    return circular_buffers(pool, parallel, pool.tables_in_dram ? tables : 0) + round_up(output, 32);
}

}  // namespace

std::uint32_t Pool::rows_at_once(std::uint32_t channels_a_core) const {
    const std::uint32_t last = channels_a_core % kTile;
    return last != 0 && last <= kFace ? kFace : kTile;
}

bool Pool::one_scalar() const {
    const bool plain_edges = !ceil_mode || window.ceil_pad == sliding::Pair{0, 0};
    const bool no_padding = window.padding == sliding::Padding{0, 0, 0, 0};
    return type == PoolType::Max || divisor.has_value() || (plain_edges && (count_include_pad || no_padding));
}

void check_pool(const Pool& pool, const Tensor& input) {
    const Window& w = pool.window;
    TT_FATAL(
        pool.dtype == DataType::BFLOAT16 || is_block_float(pool.dtype),
        "Currently only BFLOAT16, BFLOAT8_B, and BFLOAT4_B output data formats are supported, not {}",
        to_string(pool.dtype));
    TT_FATAL(
        !is_block_float(pool.dtype) || pool.tiled_output(),
        "BFLOAT8_B/BFLOAT4_B output data format is not supported with ROW_MAJOR layout");
    TT_FATAL(
        input.dtype() == DataType::BFLOAT16 || is_block_float(input.dtype()),
        "Pool2D: Only BFLOAT16 supported for now; the input is {}", to_string(input.dtype()));
    TT_FATAL(
        w.batch > 0 && w.input[0] > 0 && w.input[1] > 0 && pool.channels > 0,
        "Pool2D: batch size {}, input {}x{} and channels {} must be greater than 0", w.batch, w.input[0], w.input[1],
        pool.channels);
    TT_FATAL(
        w.kernel[0] > 0 && w.kernel[1] > 0,
        "Pool2D: Kernel size must be greater than 0 in both dimensions, got ({}, {})", w.kernel[0], w.kernel[1]);
    TT_FATAL(
        w.stride[0] > 0 && w.stride[1] > 0, "Pool2D: Stride must be greater than 0 in both dimensions, got ({}, {})",
        w.stride[0], w.stride[1]);
    TT_FATAL(
        w.dilation[0] > 0 && w.dilation[1] > 0,
        "Pool2D: Dilation must be greater than 0 in both dimensions, got ({}, {})", w.dilation[0], w.dilation[1]);
    // The right side is excepted: slices of tiled outputs widen it.
    TT_FATAL(
        w.padding[0] <= w.kernel[0] / 2 && w.padding[1] <= w.kernel[0] / 2 && w.padding[2] <= w.kernel[1] / 2,
        "Pool2D: Padding ({}, {}, {}) should not exceed half of kernel size ({}, {})", w.padding[0], w.padding[1],
        w.padding[2], w.kernel[0], w.kernel[1]);
    const std::uint32_t height = w.input[0] + w.padding[0] + w.padding[1];
    const std::uint32_t width = w.input[1] + w.padding[2] + w.padding[3];
    TT_FATAL(
        w.reach(0) <= height && w.reach(1) <= width,
        "Pool2D: Effective kernel size ({}, {}) cannot exceed padded input size ({}, {})", w.reach(0), w.reach(1),
        height, width);
}

ParallelConfig cheapest_parallel(const Pool& pool, Layout input_layout, MeshDevice& device) {
    const bool tiled = input_layout == Layout::TILE;
    ParallelConfig chosen = parallel_for_scheme(pool, TensorMemoryLayout::HEIGHT_SHARDED, kTile, tiled, device);
    std::uint64_t least = estimate(pool, chosen);
    for (const TensorMemoryLayout scheme : {TensorMemoryLayout::WIDTH_SHARDED, TensorMemoryLayout::BLOCK_SHARDED}) {
        const ParallelConfig other = parallel_for_scheme(pool, scheme, kTile, tiled, device);
        if (const std::uint64_t bytes = estimate(pool, other); bytes < least) {
            chosen = other;
            least = bytes;
        }
    }
    return chosen;
}

MemoryConfig input_memory(const Pool& pool, std::uint32_t pixels, Layout input_layout, DataType, MeshDevice& device) {
    const bool tiled = input_layout == Layout::TILE;
    const std::uint32_t alignment = tiled ? kTile : 8;
    const ParallelConfig chosen = pool.scheme ? parallel_for_scheme(pool, *pool.scheme, alignment, tiled, device)
                                              : cheapest_parallel(pool, input_layout, device);
    return sliding::sharded_memory(
        pixels, up(pool.channels, chosen.cores_channels() * alignment), chosen, tiled ? kTile : 1);
}

MemoryConfig output_memory(const Pool& pool, const MemoryConfig& input) {
    const ParallelConfig parallel = sliding::parallel_config_of(input);
    const std::uint32_t down = parallel.cores_nhw();
    const std::uint32_t across = parallel.cores_channels();
    const std::uint32_t rows = up(pool.window.output_pixels(), down * (pool.tiled_output() ? kTile : 1));
    // The packer writes whole tiles unless a core's last one is at most one face wide.
    const auto channels = static_cast<std::uint32_t>(divide_up(pool.channels, across));
    const std::uint32_t last = channels % kTile;
    const bool whole_tiles = pool.tiled_output() || (last > 0 && last < kFace && channels > kFace);
    const std::uint32_t columns = up(pool.channels, across * (whole_tiles ? kTile : kFace));
    return MemoryConfig(
        input.memory_layout(), input.buffer_type(),
        ShardSpec(parallel.grid, {rows / down, columns / across}, ShardOrientation::ROW_MAJOR));
}

std::uint64_t circular_buffers(const Pool& pool, const ParallelConfig& parallel, std::uint32_t table_bytes) {
    constexpr std::uint64_t kTileBytes = kTile * kTile * 2;  // bfloat16
    const std::uint32_t across = parallel.cores_channels();
    const std::uint32_t channels = pool.channels / across;
    const auto tiles = static_cast<std::uint32_t>(divide_up(divide_up(pool.channels, across), kTile));
    const std::uint32_t taps = pool.window.kernel[0] * pool.window.kernel[1];
    const bool large = taps > pool.rows_at_once(channels);
    const bool average = pool.type == PoolType::Average;
    const std::uint32_t most_tiles = average && large ? 4 : 8;
    const std::uint32_t rows = taps <= kFace ? taps : kTile;
    const std::uint64_t elements = std::uint64_t{std::min(tiles, most_tiles)} * kTile * rows;
    std::uint64_t bytes = 2 * kTileBytes + kTileBytes;            // scalars, and what clears
    bytes += average && !pool.one_scalar() ? 2 * kTileBytes : 0;  // scalars of the second reader
    bytes += 4 * round_up(elements, kTile * kTile) * 2;           // two buffers for each of two readers
    bytes += pool.tiled_output() ? std::uint64_t{kTile} * 2 * kTile * tiles : 0;
    return bytes + table_bytes;
}

std::uint64_t l1_usage(const Pool& pool, const MemoryConfig& input, DataType, Layout input_layout) {
    const auto& shard = input.shard_spec()->shape;
    const ParallelConfig parallel = sliding::parallel_config_of(input);
    Window window = pool.window;
    window.cores_nhw = parallel.cores_nhw();
    window.snap_to_tile = pool.tiled_output();
    const std::uint64_t halo_input = std::uint64_t{shard[0]} * shard[1] * 2;
    const std::uint64_t halo_output = std::uint64_t{sliding::max_halo_sticks(window)} * shard[1] * 2;
    std::uint64_t halo_buffers = 2 * round_up(std::uint64_t{shard[1]} * 2, 16);
    if (input_layout == Layout::TILE) {
        halo_buffers += 4 * divide_up(shard[1], kTile) * kTile * kTile * 2;
    }
    const std::uint32_t out_rows = output_memory(pool, input).shard_spec()->shape[0];
    const std::uint64_t output = std::uint64_t{out_rows} * shard[1] * 2;
    const std::uint64_t buffers = circular_buffers(pool, parallel, 0) + output;
    return std::max(halo_input + halo_output + halo_buffers, halo_output + buffers + output);
}

}  // namespace ttnn_cpu::pool_op
