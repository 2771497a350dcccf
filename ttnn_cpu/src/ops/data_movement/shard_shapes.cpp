// SPDX-License-Identifier: Apache-2.0
#include "ops/data_movement/shard_shapes.hpp"

#include <algorithm>

#include <tt-metalium/work_split.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn_cpu {

using tt::tt_metal::BufferType;
using tt::tt_metal::CoreCoord;
using tt::tt_metal::CoreRange;
using tt::tt_metal::CoreRangeSet;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::Shape;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorMemoryLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

namespace {

std::uint64_t height_of(const Shape& shape) { return shape[-1] == 0 ? 0 : shape.volume() / shape[-1]; }

std::uint32_t part(std::uint64_t length, std::uint64_t parts) {
    return static_cast<std::uint32_t>(round_up(divide_up(length, parts), kTileSide));
}

// The largest number of equal parts of `length`, at most `limit`, that are multiples of `unit`; 0 if there is none.
std::uint32_t most_parts(std::size_t length, std::size_t limit, std::size_t unit) {
    for (std::size_t parts = limit; parts > 0; --parts) {
        if (length % parts == 0 && (length / parts) % unit == 0) {
            return static_cast<std::uint32_t>(parts);
        }
    }
    return 0;
}

}  // namespace

bool tile_sized(const ShardSpec& shards) {
    return shards.shape[0] % kTileSide == 0 && shards.shape[1] % kTileSide == 0;
}

bool irregular_rows_in_shards(const Tensor& tensor) {
    const Shape& shape = tensor.logical_shape();
    return tensor.layout() == Layout::ROW_MAJOR && tensor.is_sharded() &&
           tensor.memory_config().memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED && shape.rank() >= 2 &&
           (shape[-1] % kTileSide != 0 || shape[-2] % kTileSide != 0);
}

std::optional<ShardSpec> scaled_shards(const ShardSpec& shards, const Shape& from, const Shape& to) {
    const std::uint64_t from_height = height_of(from);
    const std::uint64_t height = shards.shape[0] * height_of(to);
    const std::uint64_t width = std::uint64_t{shards.shape[1]} * to[-1];
    if (from_height == 0 || height % from_height != 0 || width % from[-1] != 0) {
        return std::nullopt;
    }
    ShardSpec scaled = shards;
    scaled.shape = {static_cast<std::uint32_t>(height / from_height), static_cast<std::uint32_t>(width / from[-1])};
    return scaled;
}

ShardSpec fresh_shards(
    const Tensor& input, const Shape& padded, TensorMemoryLayout layout, std::optional<ShardOrientation> orientation) {
    const CoreCoord grid = input.device()->compute_with_storage_grid_size();
    const auto cores = static_cast<std::uint32_t>(grid.x * grid.y);
    const std::uint64_t height = height_of(padded);
    const std::uint64_t width = padded[-1];
    const ShardOrientation way =
        orientation.value_or(input.shard_spec() ? input.shard_spec()->orientation : ShardOrientation::ROW_MAJOR);
    const bool by_rows = way == ShardOrientation::ROW_MAJOR;
    const auto first_cores = [&](std::uint64_t count) {
        return tt::tt_metal::num_cores_to_corerangeset(
            static_cast<std::uint32_t>(std::clamp<std::uint64_t>(count, 1, cores)), grid, by_rows);
    };
    if (layout == TensorMemoryLayout::HEIGHT_SHARDED) {
        const std::uint32_t rows = part(height, cores);
        return ShardSpec(first_cores(divide_up(height, rows)), {rows, static_cast<std::uint32_t>(width)}, way);
    }
    if (layout == TensorMemoryLayout::WIDTH_SHARDED) {
        const std::uint32_t columns = part(width, cores);
        return ShardSpec(first_cores(divide_up(width, columns)), {static_cast<std::uint32_t>(height), columns}, way);
    }
    const std::uint32_t rows = part(height, by_rows ? grid.y : grid.x);
    const std::uint32_t columns = part(width, by_rows ? grid.x : grid.y);
    const std::size_t down = std::max<std::size_t>(1, divide_up(height, rows));
    const std::size_t across = std::max<std::size_t>(1, divide_up(width, columns));
    const CoreCoord last = by_rows ? CoreCoord(across - 1, down - 1) : CoreCoord(down - 1, across - 1);
    return ShardSpec(CoreRangeSet(CoreRange(CoreCoord(0, 0), last)), {rows, columns}, way);
}

MemoryConfig with_shards(const Tensor& input, const Shape& padded, const MemoryConfig& memory) {
    if (!memory.is_sharded() || memory.shard_spec()) {
        return memory;
    }
    if (input.shard_spec() && input.memory_config().memory_layout() == memory.memory_layout() &&
        input.padded_shape().rank() == padded.rank()) {
        const auto scaled = scaled_shards(*input.shard_spec(), input.padded_shape(), padded);
        if (scaled && (input.layout() != Layout::TILE || tile_sized(*scaled))) {
            return MemoryConfig(memory.memory_layout(), memory.buffer_type(), scaled);
        }
    }
    return MemoryConfig(
        memory.memory_layout(), memory.buffer_type(), fresh_shards(input, padded, memory.memory_layout()));
}

bool transposes_in_shards(const TensorSpec& spec) {
    const MemoryConfig& memory = spec.memory_config();
    if (!memory.is_sharded() || !memory.shard_spec() || memory.is_dram() ||
        memory.memory_layout() == TensorMemoryLayout::BLOCK_SHARDED) {
        return false;
    }
    const auto& shape = memory.shard_spec()->shape;
    if (spec.layout() == Layout::ROW_MAJOR && (std::uint64_t{shape[0]} * shape[1]) % (kTileSide * kTileSide) != 0) {
        return false;
    }
    return height_of(spec.padded_shape()) % shape[0] == 0 && spec.padded_shape()[-1] % shape[1] == 0;
}

MemoryConfig reshaped_memory(
    const MemoryConfig& memory, const TensorSpec& output, bool explicit_memory,
    const std::optional<ShardSpec>& input_shards) {
    if (!memory.shard_spec() && input_shards) {
        return reshaped_memory(
            MemoryConfig(memory.memory_layout(), memory.buffer_type(), input_shards), output, false, std::nullopt);
    }
    TT_FATAL(
        memory.shard_spec().has_value(),
        "ttnn.reshape: sharded output memory_config (layout={}) was supplied without a shard_spec, and no "
        "input_shard_spec is "
        "available (input is likely interleaved). Either provide a shard_spec on memory_config or omit memory_config "
        "to inherit "
        "it from the input tensor.",
        to_string(memory.memory_layout()));
    const ShardSpec& shards = *memory.shard_spec();
    const MemoryConfig interleaved(TensorMemoryLayout::INTERLEAVED, memory.buffer_type());
    const CoreRange box = shards.grid.bounding_box();
    if (box.size() != shards.num_cores()) {
        return interleaved;
    }
    const bool tiled = output.layout() == Layout::TILE;
    const std::size_t unit_height = tiled ? kTileSide : 1;
    // Rows of shards are best cut at 64 bytes.
    const std::size_t unit_width = tiled ? kTileSide : 64 / element_size(output.data_type());
    const std::size_t height = output.physical_shape().height();
    const std::size_t width = output.physical_shape().width();
    const TensorSpec plain(output.logical_shape(), output.tensor_layout().with_memory_config(interleaved));
    if (memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED) {
        return plain.height_sharded(shards.grid, shards.orientation).memory_config();
    }
    if (memory.memory_layout() == TensorMemoryLayout::WIDTH_SHARDED) {
        return plain.width_sharded(shards.grid, shards.orientation).memory_config();
    }
    const bool by_rows = shards.orientation == ShardOrientation::ROW_MAJOR;
    const std::size_t cores_down = by_rows ? box.grid_size().y : box.grid_size().x;
    const std::size_t cores_across = by_rows ? box.grid_size().x : box.grid_size().y;
    if (explicit_memory && shards.shape[0] % unit_height == 0 && shards.shape[1] % unit_width == 0 &&
        cores_down * shards.shape[0] >= height && cores_across * shards.shape[1] >= width) {
        return memory;
    }
    const std::uint32_t down = most_parts(height, cores_down, unit_height);
    const std::uint32_t across = most_parts(width, cores_across, unit_width);
    if (down == 0 || across == 0) {
        return interleaved;
    }
    const CoreCoord start = box.start_coord;
    const CoreCoord end = by_rows ? CoreCoord(start.x + across - 1, start.y + down - 1)
                                  : CoreCoord(start.x + down - 1, start.y + across - 1);
    return plain.block_sharded(CoreRange(start, end), shards.orientation).memory_config();
}

Shape view_padding(const TensorSpec& spec, const Shape& shape) {
    Shape padded = shape.to_rank(std::max<std::size_t>(spec.layout() == Layout::TILE ? 2 : 1, shape.rank()));
    padded[-1] = spec.padded_shape()[-1];
    if (spec.layout() == Layout::TILE) {
        padded[-2] = static_cast<std::uint32_t>(round_up(padded[-2], kTileSide));
    }
    return padded;
}

}  // namespace ttnn_cpu
