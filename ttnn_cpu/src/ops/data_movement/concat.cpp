// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/concat/concat.hpp>

#include <algorithm>

#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/tilize_with_val_padding/tilize_with_val_padding.hpp>
#include <ttnn/operations/data_movement/untilize_with_unpadding/untilize_with_unpadding.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/permute.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

// Limits of the card's kernels on the tensors of one op.
constexpr std::size_t kMaxInterleaved = 47;
constexpr std::size_t kMaxSharded = 56;
constexpr std::size_t kMaxBlockSharded = 16;

void check_shards(const std::vector<Tensor>& tensors, std::size_t dim, unsigned groups, const MemoryConfig& memory) {
    const Tensor& first = tensors.front();
    const TensorMemoryLayout layout = first.memory_config().memory_layout();
    for (const Tensor& tensor : tensors) {
        TT_FATAL(
            tensor.shard_spec()->grid == first.shard_spec()->grid, "concat: Sharded tensors must have the same grid.");
        TT_FATAL(
            tensor.memory_config().memory_layout() == layout,
            "concat: Sharded tensors must have the same memory layout.");
        TT_FATAL(
            tensor.shard_spec()->orientation == first.shard_spec()->orientation,
            "concat: Sharded tensors must have the same shard orientation.");
    }
    TT_FATAL(
        memory.memory_layout() == layout,
        "concat: Sharded output and inputs must have the same memory layout ({}, {}).",
        to_string(memory.memory_layout()), to_string(layout));
    TT_FATAL(memory.shard_spec().has_value(), "concat: Sharded output must have a shard spec.");
    TT_FATAL(
        memory.shard_spec()->grid == first.shard_spec()->grid,
        "concat: Sharded output and inputs must have the same grid.");
    TT_FATAL(
        memory.shard_spec()->orientation == first.shard_spec()->orientation,
        "concat: Sharded output and inputs must have the same shard orientation.");
    const std::size_t rank = first.logical_shape().rank();
    if (dim == rank - 1) {
        TT_FATAL(
            layout != TensorMemoryLayout::WIDTH_SHARDED,
            "concat: Only support width concat on height-sharded or block-sharded tensors.");
    } else if (dim + 2 == rank) {
        TT_FATAL(
            layout != TensorMemoryLayout::HEIGHT_SHARDED,
            "concat: Only support height concat on width-sharded or block-sharded tensors.");
    } else {
        TT_THROW("concat: Only width or height concat on sharded tensors");
    }
    TT_FATAL(
        groups == 1 || layout == TensorMemoryLayout::HEIGHT_SHARDED,
        "concat: Groups > 1 is only supported on height-sharded tensors (groups={} and memory_layout={} was provided)",
        groups, to_string(layout));
}

Tensor concat_op(const std::vector<Tensor>& tensors, std::size_t dim, unsigned groups, const MemoryConfig& memory) {
    const Tensor& first = tensors.front();
    const auto index = static_cast<std::int32_t>(dim);
    Shape shape = first.logical_shape();
    shape[index] = 0;
    for (const Tensor& tensor : tensors) {
        check_device_tensors("concat", {&first, &tensor});
        TT_FATAL(tensor.layout() == first.layout(), "concat: All Tensors should have same layouts.");
        TT_FATAL(
            tensor.dtype() == first.dtype(), "concat: All Tensors should have same dtypes ({} and {} given).",
            to_string(first.dtype()), to_string(tensor.dtype()));
        TT_FATAL(
            tensor.is_sharded() == first.is_sharded(),
            "concat: All tensors must be sharded or all must be interleaved");
        TT_FATAL(
            tensor.logical_shape()[index] % groups == 0,
            "concat: dimension {} of shape {} must be divisible by groups ({})", dim, to_string(tensor.logical_shape()),
            groups);
        shape[index] += tensor.logical_shape()[index];
    }
    if (first.is_sharded()) {
        check_shards(tensors, dim, groups, memory);
    }
    const TensorSpec spec(shape, TensorLayout(first.dtype(), PageConfig(first.layout()), memory));
    const std::size_t rank = shape.rank();
    const std::vector<std::size_t> out_strides = strides_at_rank(spec, rank);
    const std::size_t group_stride = shape[index] / groups * out_strides[dim];
    std::vector<Transfer> transfers;
    std::size_t offset = 0;
    for (const Tensor& tensor : tensors) {
        Transfer transfer;
        kernels::StridedMove& move = transfer.move;
        move.sizes = sizes_at_rank(tensor.logical_shape(), rank);
        // Tile padding of the other dimensions is the same on both sides and moves along.
        if (first.layout() == Layout::TILE) {
            const Shape padded = tile_padded(tensor.logical_shape(), Layout::TILE);
            move.sizes[rank - 1] = padded[-1];
            move.sizes[rank - 2] = padded[-2];
        }
        move.in_strides = strides_at_rank(tensor.tensor_spec(), rank);
        move.out_strides = out_strides;
        move.out_offset = offset * out_strides[dim];
        if (groups > 1) {
            const std::size_t part = tensor.logical_shape()[index] / groups;
            move.sizes[dim] = part;
            move.sizes.insert(move.sizes.begin(), groups);
            move.in_strides.insert(move.in_strides.begin(), part * move.in_strides[dim]);
            move.out_strides.insert(move.out_strides.begin(), group_stride);
        }
        offset += tensor.logical_shape()[index] / groups;
        transfers.push_back(std::move(transfer));
    }
    if (first.layout() == Layout::ROW_MAJOR && matrix_of(spec).padded()) {
        transfers.front().fill = 0;
    }
    return launch_movement(
        {.name = "ConcatDeviceOperation",
         .attributes = JsonText().field("dim", dim).field("groups", groups).field("output_mem_config", memory).str(),
         .inputs = tensors,
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = std::move(transfers),
         .circular_buffer_bytes = concat_buffers(tensors, spec, dim)});
}

// Shards of the sums of the input shards along the dimension.
MemoryConfig joined_shards(const std::vector<Tensor>& tensors, bool by_width) {
    const Tensor& first = tensors.front();
    std::array<std::uint32_t, 2> shape = first.shard_spec()->shape;
    const std::size_t side = by_width ? 1 : 0;
    shape[side] = 0;
    for (const Tensor& tensor : tensors) {
        shape[side] += tensor.shard_spec()->shape[side];
    }
    return MemoryConfig(
        first.memory_config().memory_layout(), BufferType::L1,
        ShardSpec(first.shard_spec()->grid, shape, first.shard_spec()->orientation));
}

Tensor concat_few(const std::vector<Tensor>& tensors, std::size_t dim, unsigned groups, const MemoryConfig& memory) {
    const Tensor& first = tensors.front();
    const std::size_t rank = first.logical_shape().rank();
    if (first.is_sharded()) {
        if (memory.is_sharded()) {
            return concat_op(tensors, dim, groups, memory);
        }
        const TensorMemoryLayout layout = first.memory_config().memory_layout();
        const bool by_width = dim + 1 == rank;
        const bool fits = (by_width && layout != TensorMemoryLayout::WIDTH_SHARDED) ||
                          (dim + 2 == rank && layout != TensorMemoryLayout::HEIGHT_SHARDED);
        const bool all_sharded =
            std::all_of(tensors.begin(), tensors.end(), [](const Tensor& tensor) { return tensor.is_sharded(); });
        TT_FATAL(all_sharded, "concat: All tensors must be sharded or all must be interleaved");
        if (fits) {
            return to_memory_config(concat_op(tensors, dim, groups, joined_shards(tensors, by_width)), memory);
        }
        std::vector<Tensor> interleaved;
        for (const Tensor& tensor : tensors) {
            interleaved.push_back(to_memory_config(tensor, memory));
        }
        return concat_op(interleaved, dim, groups, memory);
    }
    Layout layout = first.layout();
    for (const Tensor& tensor : tensors) {
        const Shape& padded = tensor.padded_shape();
        if (tensor.layout() == Layout::ROW_MAJOR &&
            (padded.rank() < 2 || padded[-1] % kTileSide != 0 || padded[-2] % kTileSide != 0)) {
            layout = Layout::ROW_MAJOR;
        }
    }
    std::vector<Tensor> formatted;
    for (const Tensor& tensor : tensors) {
        formatted.push_back(to_layout(tensor, layout));
    }
    if (memory.is_sharded() && layout == Layout::ROW_MAJOR &&
        memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED) {
        return to_memory_config(concat_op(formatted, dim, groups, DRAM_MEMORY_CONFIG), memory);
    }
    return concat_op(formatted, dim, groups, memory);
}

Tensor concat_any(const std::vector<Tensor>& tensors, std::size_t dim, unsigned groups, const MemoryConfig& memory) {
    const Tensor& first = tensors.front();
    std::size_t limit = kMaxInterleaved;
    if (first.is_sharded()) {
        const bool block = first.memory_config().memory_layout() == TensorMemoryLayout::BLOCK_SHARDED;
        limit = block ? kMaxBlockSharded : kMaxSharded;
        TT_FATAL(
            !block || tensors.size() <= limit,
            "concat: Block-sharded concat supports at most 16 input tensors (got {}). Batching with intermediate shard "
            "specs is "
            "not supported for block-sharded concat.",
            tensors.size());
    }
    if (tensors.size() <= limit) {
        return concat_few(tensors, dim, groups, memory);
    }
    std::vector<Tensor> joined;
    for (std::size_t i = 0; i < tensors.size(); i += limit) {
        const auto begin = tensors.begin() + static_cast<std::ptrdiff_t>(i);
        const auto end = tensors.begin() + static_cast<std::ptrdiff_t>(std::min(tensors.size(), i + limit));
        joined.push_back(end - begin == 1 ? *begin : concat_few({begin, end}, dim, groups, memory));
    }
    return concat_any(joined, dim, groups, memory);
}

}  // namespace

Tensor concat(
    const std::vector<Tensor>& input_tensors, int dim, const std::optional<MemoryConfig>& memory_config,
    const std::optional<Tensor>& optional_output_tensor, unsigned int groups) {
    TT_FATAL(!input_tensors.empty(), "ttnn.concat: expected a non-empty list of Tensors!");
    TT_FATAL(!optional_output_tensor, "concat: optional output tensor currently unsupported!");
    ApiCall call("ttnn::concat", std::span<const Tensor>(input_tensors), [&](JsonText& json) {
        std::vector<JsonText> tensors;
        for (std::size_t i = 0; i < input_tensors.size(); ++i) {
            tensors.push_back(JsonText().field("tensor", i));
        }
        json.field("input_tensors", tensors)
            .field("dim", dim)
            .field("memory_config", memory_config)
            .field("groups", groups);
    });
    const MemoryConfig memory = memory_config.value_or(DRAM_MEMORY_CONFIG);
    if (input_tensors.size() == 1) {
        return call.returns(to_memory_config(input_tensors.front(), memory));
    }
    const Tensor& first = input_tensors.front();
    const std::size_t axis = first.logical_shape().get_normalized_index(dim);
    for (const Tensor& tensor : input_tensors) {
        check_device_tensors("concat", {&tensor});
        Shape expected = first.logical_shape();
        const bool same_rank = tensor.logical_shape().rank() == expected.rank();
        if (same_rank) {
            expected[static_cast<std::int32_t>(axis)] = tensor.logical_shape()[static_cast<std::int32_t>(axis)];
        }
        TT_FATAL(
            same_rank && tensor.logical_shape() == expected,
            "concat: All dimensions must be the same size except for the dimension along which the contenation is "
            "taking place "
            "({} and {}, dim {}).",
            to_string(first.logical_shape()), to_string(tensor.logical_shape()), axis);
    }
    const bool padded = std::any_of(input_tensors.begin(), input_tensors.end(), [&](const Tensor& tensor) {
        const auto from_end =
            static_cast<std::int32_t>(axis) - static_cast<std::int32_t>(tensor.logical_shape().rank());
        return tensor.layout() == Layout::TILE && (tensor.logical_shape().rank() == 1 ||
                                                   tensor.logical_shape()[from_end] != tensor.padded_shape()[from_end]);
    });
    if (!padded) {
        return call.returns(concat_any(input_tensors, axis, groups, memory));
    }
    std::vector<Tensor> rows;
    for (const Tensor& tensor : input_tensors) {
        TT_FATAL(tensor.layout() == Layout::TILE, "ttnn.concat: expected all input tensors to be in tile layout");
        Shape end = tensor.logical_shape();
        for (std::size_t i = 0; i < end.rank(); ++i) {
            --end[static_cast<std::int32_t>(i)];
        }
        rows.push_back(untilize_with_unpadding(tensor, end));
    }
    const Tensor joined = concat_any(rows, axis, groups, memory);
    const Shape shape = joined.logical_shape().to_rank(std::max<std::size_t>(2, joined.logical_shape().rank()));
    return call.returns(
        tilize_with_val_padding(joined, tile_padded(shape, Layout::TILE), 0.0F, joined.memory_config()));
}

}  // namespace ttnn
