// SPDX-License-Identifier: Apache-2.0
#include "ops/data_movement/page_buffers.hpp"

#include <algorithm>

#include "core/data_type.hpp"
#include "core/device_impl.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

// What a shard is passed on by: a tile, or a row.
std::uint64_t unit_bytes(DataType dtype, Layout layout, const ShardSpec& shard) {
    return storage_bytes(dtype, layout == Layout::TILE ? std::size_t{kTileSide} * kTileSide : shard.shape[1]);
}

std::uint64_t units(Layout layout, const ShardSpec& shard) {
    return layout == Layout::TILE ? shard.numel() / (kTileSide * kTileSide) : shard.shape[0];
}

std::uint32_t alignment_of(const tt::tt_metal::MemoryConfig& memory, const Tensor& on) {
    return memory.is_l1()                               ? kL1Alignment
           : on.device()->arch() == tt::ARCH::BLACKHOLE ? 2 * kDramAlignment
                                                        : kDramAlignment;
}

// Rows that are read with one barrier: as many as make up `most` bytes and divide all of them.
std::uint64_t merged_rows(std::uint64_t rows, std::uint64_t bytes, std::uint64_t most) {
    std::uint64_t merged = 1;
    for (std::uint64_t size = bytes; size <= most && size > 0; size += bytes) {
        if (rows * bytes % size == 0) {
            merged = size / bytes;
        }
    }
    return merged;
}

}  // namespace

std::uint64_t permute_buffers(const Tensor& input, bool turns) {
    if (input.layout() == Layout::ROW_MAJOR) {
        return 2 *
               round_up(input.logical_shape()[-1] * input.element_size(), alignment_of(input.memory_config(), input));
    }
    return (turns ? 4 : 2) * storage_bytes(input.dtype(), std::size_t{kTileSide} * kTileSide);
}

std::uint64_t reshape_buffers(const Tensor& input, const TensorSpec& output) {
    constexpr std::uint64_t kSlots = 8;  // of small rows that are written at a time
    const std::uint64_t tile = storage_bytes(input.dtype(), std::size_t{kTileSide} * kTileSide);
    if (input.layout() == Layout::TILE) {
        return 2 * tile;
    }
    const std::uint64_t from = input.logical_shape()[-1] * input.element_size();
    const std::uint64_t to = output.logical_shape()[-1] * input.element_size();
    const bool aligned = from % kL1Alignment == 0 && to % kL1Alignment == 0;
    const bool whole = from % to == 0 || to % from == 0;
    const bool two_kernels = whole && (to % kL1Alignment == 0 || output.memory_config().is_l1());
    const std::uint64_t read = (from - 1) / 64 * 64 + 128;
    const std::uint64_t written = (to - 1) / 64 * 64 + 80;
    return (two_kernels ? 2 : 1) * (2 * read + (aligned ? 1 : kSlots) * written);
}

std::uint64_t interleaved_to_sharded_buffers(const Tensor& input, const TensorSpec& output) {
    constexpr std::uint64_t kTransfers = 4;  // on their way at a time
    const ShardSpec& shard = *output.memory_config().shard_spec();
    const std::uint64_t unit = unit_bytes(input.dtype(), input.layout(), shard);
    const std::uint32_t dram = input.device()->arch() == tt::ARCH::BLACKHOLE ? 2 * kDramAlignment : kDramAlignment;
    std::uint64_t bytes = kTransfers * round_up(unit + dram, dram);
    if (input.dtype() != output.data_type()) {
        bytes += units(input.layout(), shard) * round_up(unit, alignment_of(input.memory_config(), input));
    }
    if (output.memory_config().is_dram()) {
        bytes += units(input.layout(), shard) * round_up(
                                                    unit_bytes(output.data_type(), input.layout(), shard),
                                                    alignment_of(output.memory_config(), input));
    }
    return bytes;
}

std::uint64_t sharded_to_interleaved_buffers(const Tensor& input, const TensorSpec& output) {
    const ShardSpec& shard = *input.shard_spec();
    return input.dtype() == output.data_type()
               ? 0
               : units(input.layout(), shard) * round_up(
                                                    unit_bytes(output.data_type(), input.layout(), shard),
                                                    alignment_of(output.memory_config(), input));
}

std::uint64_t concat_buffers(std::span<const Tensor> inputs, const TensorSpec& output, std::int64_t dim) {
    const bool sharded =
        std::all_of(inputs.begin(), inputs.end(), [](const Tensor& input) { return input.is_sharded(); });
    if (sharded && output.memory_config().is_sharded()) {
        const bool blocks = inputs.front().memory_config().memory_layout() == TensorMemoryLayout::BLOCK_SHARDED;
        if (blocks || inputs.size() != 2 || dim != 3 || output.layout() != Layout::TILE) {
            return 0;
        }
        // A row of tiles is transposed, joined and transposed back; block floats as bfloat16 up to the last step.
        const std::uint64_t row = output.memory_config().shard_spec()->shape[1] / kTileSide;
        const bool blocks8 = inputs.front().dtype() == DataType::BFLOAT8_B;
        const auto tile = [](DataType dtype) { return storage_bytes(dtype, std::size_t{kTileSide} * kTileSide); };
        return row * (2 * tile(blocks8 ? DataType::BFLOAT16 : inputs.front().dtype()) + tile(output.data_type()));
    }
    std::uint64_t page = output.compute_page_size_bytes();
    if (output.layout() == Layout::ROW_MAJOR) {
        page = round_up(page, kDramAlignment);
    }
    const auto& memory = *inputs.front().device()->impl().memory();
    return 2 * page > memory.l1_end() / 2 - memory.l1_base() ? page : 2 * page;
}

std::uint64_t slice_buffers(const Tensor& input, const TensorSpec& output, std::uint32_t first, bool strided) {
    constexpr std::uint64_t kMostRead = 4096;
    if (output.layout() == Layout::TILE) {
        return 2 * storage_bytes(output.data_type(), std::size_t{kTileSide} * kTileSide);
    }
    if (input.is_sharded() && output.memory_config().is_sharded()) {
        return 0;
    }
    const std::uint64_t element = input.element_size();
    if (strided) {
        return 2 * round_up(input.padded_shape()[-1] * element, alignment_of(input.memory_config(), input));
    }
    const std::uint32_t from = alignment_of(input.memory_config(), input);
    const std::uint32_t alignment = std::max(from, alignment_of(output.memory_config(), input));
    const std::uint64_t row = output.padded_shape()[-1] * element;
    const auto grid = input.device()->compute_with_storage_grid_size();
    const std::uint64_t rows = round_up(divide_up(output.physical_shape().height(), grid.x * grid.y), 32);
    const std::uint64_t page = round_up(row, first * element % from == 0 ? alignment : 2 * alignment);
    return 2 * page * merged_rows(rows, round_up(row, alignment), kMostRead);
}

std::uint64_t pad_row_buffers(const Tensor& input, std::uint64_t row_bytes, bool front) {
    constexpr std::uint64_t kMostRead = 2048;
    constexpr std::uint64_t kReads = 16;  // ahead of the writer
    const std::uint32_t dram = input.device()->arch() == tt::ARCH::BLACKHOLE ? 2 * kDramAlignment : kDramAlignment;
    const std::uint64_t row = round_up(row_bytes, kL1Alignment);
    // A row of padding, one to put rows in their place, and the rows.
    return (front || row % dram != 0 ? 2 : 1) * round_up(row_bytes, dram) + kReads * divide_up(kMostRead, row) * row;
}

}  // namespace ttnn_cpu
