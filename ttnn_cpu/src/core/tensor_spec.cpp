// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/tensor/spec/tensor_spec.hpp>

#include <algorithm>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace tt::tt_metal {

using ttnn_cpu::divide_up;
using ttnn_cpu::round_up;
using ttnn_cpu::to_string;

namespace {

Alignment default_alignment(const TensorLayout& layout) {
    if (layout.get_layout() == Layout::TILE) {
        return {layout.get_tile().get_height(), layout.get_tile().get_width()};
    }
    if (const auto& shard = layout.get_memory_config().shard_spec()) {
        return {shard->shape[1]};
    }
    return {1};
}

Shape compute_padded_shape(const Shape& logical, const TensorLayout& layout) {
    const Alignment& alignment = layout.get_alignment();
    const std::size_t rank = std::max(logical.rank(), alignment.size());
    Shape padded = logical.to_rank(rank);
    for (std::size_t i = 0; i < alignment.size(); ++i) {
        const auto index = static_cast<std::int32_t>(rank - alignment.size() + i);
        padded[index] = static_cast<std::uint32_t>(round_up(padded[index], std::max(alignment[i], 1u)));
    }
    return padded;
}

Shape2D fold(const Shape& shape) {
    if (shape.rank() == 0) {
        return {1, 1};
    }
    std::size_t height = 1;
    for (std::size_t i = 0; i + 1 < shape.rank(); ++i) {
        height *= shape[static_cast<std::int32_t>(i)];
    }
    return {height, shape[-1]};
}

void check_shards(const TensorSpec& spec) {
    const MemoryConfig& memory = spec.memory_config();
    if (!memory.is_sharded() || !memory.shard_spec()) {
        return;
    }
    const ShardSpec& shard = *memory.shard_spec();
    const std::size_t height = spec.physical_shape().height();
    const std::size_t width = spec.physical_shape().width();
    const std::size_t shard_height = shard.shape[0];
    const std::size_t shard_width = shard.shape[1];
    TT_FATAL(
        shard_height > 0 && shard_width > 0, "Shard shape {}x{} of a tensor of physical shape {}x{} must not be empty",
        shard_height, shard_width, height, width);
    if (spec.layout() == Layout::TILE) {
        const Tile tile = spec.tile();
        TT_FATAL(
            shard_height % tile.get_height() == 0 && shard_width % tile.get_width() == 0,
            "Physical shard shape ({}, {}) must be tile ({}, {}) sized!", shard_height, shard_width, tile.get_height(),
            tile.get_width());
    }
    const std::size_t cores = shard.num_cores();
    const std::size_t shards_down = divide_up(height, shard_height);
    const std::size_t shards_across = divide_up(width, shard_width);
    switch (memory.memory_layout()) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            TT_FATAL(
                width == shard_width, "Shard width {} must match physical width {} for height sharded", shard_width,
                width);
            TT_FATAL(
                shards_down <= cores,
                "Number of shards along height {} must not exceed number of cores {} (physical height {}, shard height "
                "{})",
                shards_down, cores, height, shard_height);
            break;
        case TensorMemoryLayout::WIDTH_SHARDED:
            TT_FATAL(
                height == shard_height, "Shard height {} must match physical height {} for width sharded", shard_height,
                height);
            TT_FATAL(
                shards_across <= cores,
                "Number of shards along width {} must not exceed number of cores {} (physical width {}, shard width "
                "{})",
                shards_across, cores, width, shard_width);
            break;
        case TensorMemoryLayout::BLOCK_SHARDED: {
            TT_FATAL(
                shard.grid.ranges().size() == 1, "Shard grid {} must be one full rectangular grid for block sharded!",
                shard.grid.str());
            const CoreCoord grid = shard.grid.bounding_box().grid_size();
            const bool by_rows = shard.orientation == ShardOrientation::ROW_MAJOR;
            TT_FATAL(
                shards_down <= (by_rows ? grid.y : grid.x),
                "Number of shards along height {} must not exceed number of {} {} of the shard grid for {} "
                "orientation!",
                shards_down, by_rows ? "rows" : "columns", by_rows ? grid.y : grid.x, to_string(shard.orientation));
            TT_FATAL(
                shards_across <= (by_rows ? grid.x : grid.y),
                "Number of shards along width {} must not exceed number of {} {} of the shard grid for {} orientation!",
                shards_across, by_rows ? "columns" : "rows", by_rows ? grid.x : grid.y, to_string(shard.orientation));
            break;
        }
        case TensorMemoryLayout::INTERLEAVED:
            break;
    }
}

// The part of `length` that each of `parts` cores takes, in whole units.
std::uint32_t even_part(std::size_t length, std::size_t parts, std::size_t unit) {
    return static_cast<std::uint32_t>(round_up(divide_up(length, parts), unit));
}

}  // namespace

Tile::Tile(std::array<std::uint32_t, 2> tile_shape, bool transpose_tile) : tile_shape_(tile_shape) {
    TT_FATAL(
        tile_shape_[0] == 32 && tile_shape_[1] == 32 && !transpose_tile,
        "Tile of {}x{}{}: the embedded provider has 32x32 tiles only", tile_shape_[0], tile_shape_[1],
        transpose_tile ? ", transposed" : "");
}

PageConfig::PageConfig(Layout layout) : PageConfig(layout, std::nullopt) {}

PageConfig::PageConfig(Layout layout, const std::optional<Tile>& tile) : layout_(layout), tile_(tile.value_or(Tile())) {
    TT_FATAL(layout != Layout::INVALID, "PageConfig: layout must be ROW_MAJOR or TILE, not INVALID");
}

MemoryConfig::MemoryConfig(
    TensorMemoryLayout memory_layout, BufferType buffer_type, std::optional<ShardSpec> shard_spec)
    : memory_layout_(memory_layout), buffer_type_(buffer_type), shard_spec_(std::move(shard_spec)) {}

bool operator==(const MemoryConfig& a, const MemoryConfig& b) {
    return a.memory_layout() == b.memory_layout() && a.buffer_type() == b.buffer_type() &&
           a.shard_spec() == b.shard_spec();
}

bool operator!=(const MemoryConfig& a, const MemoryConfig& b) { return !(a == b); }

TensorLayout::TensorLayout(
    DataType dtype, const PageConfig& page_config, const MemoryConfig& memory_config, const Alignment& alignment)
    : dtype_(dtype), page_config_(page_config), memory_config_(memory_config), alignment_(alignment) {
    TT_FATAL(dtype != DataType::INVALID, "TensorLayout: data type must not be INVALID");
    TT_FATAL(
        !is_block_float(dtype) || page_config.get_layout() == Layout::TILE,
        "Only TILE layout is supported for {} dtype!", to_string(dtype));
    // One that is given is rounded up to whole pages.
    const Alignment pages = default_alignment(*this);
    alignment_.insert(alignment_.begin(), pages.size() - std::min(pages.size(), alignment_.size()), 1U);
    for (std::size_t i = 0; i < pages.size(); ++i) {
        std::uint32_t& value = alignment_[alignment_.size() - pages.size() + i];
        value = static_cast<std::uint32_t>(round_up(value, std::max(pages[i], 1U)));
    }
}

TensorLayout TensorLayout::with_memory_config(MemoryConfig memory_config) const {
    return TensorLayout(dtype_, page_config_, memory_config);
}

TensorSpec::TensorSpec(Shape logical_shape, TensorLayout tensor_layout)
    : logical_shape_(std::move(logical_shape)),
      tensor_layout_(std::move(tensor_layout)),
      padded_shape_(compute_padded_shape(logical_shape_, tensor_layout_)),
      logical_2d_shape_(fold(logical_shape_)),
      physical_shape_(fold(padded_shape_)) {
    check_shards(*this);
}

TensorSpec TensorSpec::height_sharded(CoreRangeSet grid, ShardOrientation orientation) const {
    const std::size_t unit = layout() == Layout::TILE ? tile().get_height() : 1;
    const ShardSpec shard(
        grid,
        {even_part(physical_shape_.height(), grid.num_cores(), unit),
         static_cast<std::uint32_t>(physical_shape_.width())},
        orientation);
    return TensorSpec(
        logical_shape_, tensor_layout_.with_memory_config(
                            MemoryConfig(TensorMemoryLayout::HEIGHT_SHARDED, memory_config().buffer_type(), shard)));
}

TensorSpec TensorSpec::width_sharded(CoreRangeSet grid, ShardOrientation orientation) const {
    const std::size_t unit = layout() == Layout::TILE ? tile().get_width() : 1;
    const ShardSpec shard(
        grid,
        {static_cast<std::uint32_t>(physical_shape_.height()),
         even_part(physical_shape_.width(), grid.num_cores(), unit)},
        orientation);
    return TensorSpec(
        logical_shape_, tensor_layout_.with_memory_config(
                            MemoryConfig(TensorMemoryLayout::WIDTH_SHARDED, memory_config().buffer_type(), shard)));
}

TensorSpec TensorSpec::block_sharded(CoreRange grid, ShardOrientation orientation) const {
    const bool tiled = layout() == Layout::TILE;
    CoreCoord size = grid.grid_size();
    if (orientation == ShardOrientation::COL_MAJOR) {
        std::swap(size.x, size.y);
    }
    const ShardSpec shard(
        CoreRangeSet(grid),
        {even_part(physical_shape_.height(), size.y, tiled ? tile().get_height() : 1),
         even_part(physical_shape_.width(), size.x, tiled ? tile().get_width() : 1)},
        orientation);
    return TensorSpec(
        logical_shape_, tensor_layout_.with_memory_config(
                            MemoryConfig(TensorMemoryLayout::BLOCK_SHARDED, memory_config().buffer_type(), shard)));
}

std::size_t TensorSpec::compute_packed_buffer_size_bytes() const {
    return ttnn_cpu::storage_bytes(data_type(), physical_shape_.height() * physical_shape_.width());
}

std::size_t TensorSpec::compute_page_size_bytes() const {
    if (layout() == Layout::TILE) {
        return ttnn_cpu::storage_bytes(data_type(), tile().get_tile_hw());
    }
    const auto& shard = memory_config().shard_spec();
    return ttnn_cpu::storage_bytes(data_type(), shard ? shard->shape[1] : physical_shape_.width());
}

std::size_t TensorSpec::compute_consumed_memory_bytes_per_bank(
    std::size_t page_alignment, std::size_t num_banks) const {
    const std::size_t page = round_up(compute_page_size_bytes(), page_alignment);
    const bool tiled = layout() == Layout::TILE;
    if (const auto& shard = memory_config().shard_spec()) {
        const std::size_t pages =
            tiled ? std::size_t{shard->shape[0]} * shard->shape[1] / tile().get_tile_hw() : shard->shape[0];
        return pages * page;
    }
    const std::size_t pages =
        tiled ? physical_shape_.height() * physical_shape_.width() / tile().get_tile_hw() : physical_shape_.height();
    return divide_up(pages, num_banks) * page;
}

}  // namespace tt::tt_metal
