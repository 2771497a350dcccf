// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tt-metalium/tensor/spec/layout/tensor_layout.hpp>
#include <tt-metalium/tensor/tensor_types.hpp>

namespace tt::tt_metal {

// Everything about a tensor but its values. The constructor checks the shards against the shape and the grid.
class TensorSpec final {
public:
    TensorSpec(Shape logical_shape, TensorLayout tensor_layout);

    const Shape& logical_shape() const { return logical_shape_; }
    const TensorLayout& tensor_layout() const { return tensor_layout_; }
    DataType data_type() const { return tensor_layout_.get_data_type(); }
    Layout layout() const { return tensor_layout_.get_layout(); }
    PageConfig page_config() const { return tensor_layout_.get_page_config(); }
    const MemoryConfig& memory_config() const { return tensor_layout_.get_memory_config(); }
    const Shape& padded_shape() const { return padded_shape_; }
    const Shape2D& logical_2d_shape() const { return logical_2d_shape_; }
    // All leading dimensions folded into the height, padding included.
    const Shape2D& physical_shape() const { return physical_shape_; }
    Tile tile() const { return tensor_layout_.get_tile(); }

    // The same tensor split as evenly as tiles (or rows) allow, one shard a core.
    TensorSpec height_sharded(CoreRangeSet grid, ShardOrientation orientation = ShardOrientation::ROW_MAJOR) const;
    TensorSpec width_sharded(CoreRangeSet grid, ShardOrientation orientation = ShardOrientation::ROW_MAJOR) const;
    TensorSpec block_sharded(CoreRange grid, ShardOrientation orientation = ShardOrientation::ROW_MAJOR) const;

    std::size_t compute_packed_buffer_size_bytes() const;
    std::size_t compute_page_size_bytes() const;
    std::size_t compute_consumed_memory_bytes_per_bank(std::size_t page_alignment, std::size_t num_banks) const;

    bool operator==(const TensorSpec&) const = default;

private:
    Shape logical_shape_;
    TensorLayout tensor_layout_;
    Shape padded_shape_;
    Shape2D logical_2d_shape_;
    Shape2D physical_shape_;
};

}  // namespace tt::tt_metal
