// SPDX-License-Identifier: Apache-2.0
#include "ops/data_movement/layout_buffers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "core/data_type.hpp"
#include "core/device_impl.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn_cpu {

using tt::tt_metal::BufferType;
using tt::tt_metal::DataType;
using tt::tt_metal::Shape;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

std::uint64_t tile_size(DataType dtype) { return storage_bytes(dtype, kTileSide * kTileSide); }

// What is free below the lowest buffer.
std::uint64_t free_bytes(const Tensor& tensor) {
    const auto& memory = *tensor.device()->impl().memory();
    const auto lowest = memory.allocator(BufferType::L1).lowest_allocated_address();
    return lowest.value_or(memory.l1_end()) - memory.l1_base();
}

// A matrix that is cut into squares of tiles, one a core.
struct Squares {
    std::size_t width;  // tiles
    std::size_t height;
    std::size_t cores;  // of the device
    std::size_t side = 1;
    std::size_t part = 1;  // of a row of a square that is passed on at once

    std::size_t count(std::size_t size) const { return divide_up(width, size) * divide_up(height, size); }

    // The smallest squares that the device has more cores than.
    void choose() {
        const std::size_t each = divide_up(width * height, cores);
        auto size = static_cast<std::size_t>(std::sqrt(static_cast<double>(each)));
        size += size * size == each ? 0 : 1;
        while (size <= width * height && count(size) >= cores) {
            ++size;
        }
        side = part = size <= width * height ? size : 1;
    }

    // Squares of several parts of less than `limit` tiles: as many cores as possible, then as few parts.
    void limit_parts(std::size_t limit) {
        if (side <= limit) {
            return;
        }
        if (count(limit) < cores) {
            side = part = limit;
            return;
        }
        std::size_t most_cores = 0;
        std::size_t fewest = 0;
        for (std::size_t size = limit - 1; size >= 1; --size) {
            for (std::size_t parts = 2; parts <= divide_up(width, size); ++parts) {
                const std::size_t used = count(parts * size);
                const bool better = used > most_cores || (used == most_cores && parts < fewest);
                if (used <= cores && width % (parts * size) < limit && (fewest == 0 || better)) {
                    most_cores = used;
                    fewest = parts;
                    side = parts * size;
                    part = size;
                }
            }
        }
    }

    // Tiles of a row that the fullest core passes on at once.
    std::size_t widest() const { return std::max(width >= side ? part : 0, width % side); }
};

struct Conversion {
    const Tensor& input;
    std::size_t row;  // tiles
    std::size_t column;
    std::size_t blocks;         // rows of tiles of all matrices
    std::uint64_t tile;         // bytes of a tile on both sides
    std::uint64_t staging = 0;  // bytes for each tile, and once
    std::uint64_t fixed = 0;

    std::size_t cores() const {
        const auto grid = input.device()->compute_with_storage_grid_size();
        return grid.x * grid.y;
    }
    // Rows are too long for one core, or too few for all of them.
    bool in_squares(Squares& squares) const {
        squares = {.width = row, .height = column, .cores = cores()};
        squares.choose();
        if (free_bytes(input) <= (tile + staging) * row + fixed) {
            return true;
        }
        const std::size_t each = divide_up(blocks, cores());
        return row > 32 && (column > 32 || row > column) && divide_up(blocks, each) < squares.count(squares.side);
    }
    std::uint64_t square_bytes(Squares squares) const {
        squares.limit_parts((free_bytes(input) - fixed) / (tile + staging));
        return squares.widest() * (tile + staging) + fixed;
    }
};

Conversion conversion_of(const Tensor& input, const TensorSpec& output, const Shape& padded) {
    return {
        .input = input,
        .row = padded[-1] / kTileSide,
        .column = padded[-2] / kTileSide,
        .blocks = padded.volume() / padded[-1] / kTileSide,
        .tile = tile_size(input.dtype()) + tile_size(output.data_type())};
}

// TTNN's newer program: rows of tiles, or parts of them where there are fewer rows than cores, twice on both sides while
// there is room. None where it takes the older programs.
std::optional<std::uint64_t> generated_untilize_buffers(const Tensor& input, const TensorSpec& output) {
    constexpr std::uint64_t kMostRowBytes = 800'000;  // of more than one row of tiles
    const bool dtype = input.dtype() == DataType::BFLOAT16 || input.dtype() == DataType::BFLOAT8_B;
    if (!dtype || input.is_sharded() || output.memory_config().is_sharded()) {
        return std::nullopt;
    }
    const Conversion op = conversion_of(input, output, input.padded_shape());
    const auto& memory = *input.device()->impl().memory();
    const std::uint64_t usable = input.device()->l1_size_per_core() - memory.l1_base();
    const std::uint64_t tile = tile_size(DataType::BFLOAT16);
    std::size_t part = op.row;
    if (op.blocks == 1 && op.row > 1) {
        part = divide_up(op.row, op.cores());
        if (2 * part * tile > usable) {
            return std::nullopt;
        }
    } else if (op.blocks > 1 && 2 * op.row * tile > kMostRowBytes) {
        return std::nullopt;
    } else if (op.blocks < op.cores()) {
        std::size_t parts = std::min(op.cores() / op.blocks, op.row);
        while (op.row % parts != 0) {
            --parts;
        }
        part = op.row / parts;
    }
    const std::uint64_t alignment = input.device()->arch() == tt::ARCH::BLACKHOLE ? 2 * kDramAlignment : kDramAlignment;
    const std::uint64_t in = part * round_up(tile_size(input.dtype()), alignment);
    const std::uint64_t out = part * round_up(tile_size(output.data_type()), alignment);
    const std::uint64_t planned = part * tile;
    return (3 * planned <= usable ? 2 : 1) * in + (4 * planned <= usable ? 2 : 1) * out;
}

}  // namespace

std::uint64_t tilize_buffers(const Tensor& input, const TensorSpec& output, bool pads) {
    const Shape& padded = output.padded_shape();
    Conversion op = conversion_of(input, output, padded);
    if (const auto& from = input.shard_spec()) {
        const bool tiles = from->shape[0] % kTileSide == 0 && from->shape[1] % kTileSide == 0;
        const auto& to = output.memory_config().shard_spec();
        if (pads && to) {
            const std::uint64_t matrices = output.physical_shape().height() / padded[-2];
            return 2 * to->numel() / (kTileSide * kTileSide) / matrices * tile_size(input.dtype()) +
                   storage_bytes(input.dtype(), from->shape[1]);
        }
        if (!pads && tiles && input.memory_config().is_l1()) {
            return to ? 0 : from->shape[1] / kTileSide * tile_size(output.data_type());
        }
        return op.row * op.tile;
    }
    op.staging = tile_size(input.dtype()) / kTileSide;
    op.fixed = 2 * kDramAlignment;
    Squares squares{};
    return op.in_squares(squares) ? op.square_bytes(squares) : op.row * op.tile;
}

std::uint64_t untilize_buffers(const Tensor& input, const TensorSpec& output, bool unpads) {
    const std::uint64_t out_tile = tile_size(output.data_type());
    const auto& to = output.memory_config().shard_spec();
    if (const auto& from = input.shard_spec()) {
        const std::uint64_t row = from->shape[1] / kTileSide;
        const std::uint64_t rows = from->shape[0] / kTileSide;
        if (unpads) {
            const Shape& padded = input.padded_shape();
            const std::size_t matrix = std::size_t{padded[-2]} * padded[-1];
            const bool by_height = input.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED;
            const std::size_t matrices =
                by_height ? std::max<std::size_t>(1, from->numel() / matrix) : input.physical_volume() / matrix;
            return 2 * out_tile * (to ? row * rows / matrices : row);
        }
        if (to && *to == *from && output.memory_config().is_l1()) {
            return 0;
        }
        const auto& physical = input.tensor_spec().physical_shape();
        const bool even = physical.height() % from->shape[0] == 0 && physical.width() % from->shape[1] == 0;
        const std::uint64_t copies = rows == 1 ? 1 : 2;
        return copies * row * (out_tile + (even && input.memory_config().is_l1() ? 0 : tile_size(input.dtype())));
    }
    if (const auto bytes = unpads ? std::nullopt : generated_untilize_buffers(input, output)) {
        return *bytes;
    }
    const Conversion op = conversion_of(input, output, input.padded_shape());
    Squares squares{};
    if (op.in_squares(squares) && !to) {
        return op.square_bytes(squares);
    }
    const bool one_block = divide_up(op.blocks, op.cores()) == 1;
    return op.row * op.tile * (unpads || one_block ? 1 : 2);
}

}  // namespace ttnn_cpu
