// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/slice/slice.hpp>

#include <algorithm>

#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/copy/copy.hpp>
#include <ttnn/operations/data_movement/fill_pad/fill_pad.hpp>
#include <ttnn/tensor/tensor_ops.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/permute.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

struct Range {
    std::vector<std::size_t> begins;
    std::vector<std::size_t> ends;
    std::vector<std::size_t> steps;

    bool strided() const {
        return std::any_of(steps.begin(), steps.end(), [](std::size_t step) { return step != 1; });
    }
    Shape shape() const {
        Shape::Container sizes;
        for (std::size_t i = 0; i < begins.size(); ++i) {
            sizes.push_back(static_cast<std::uint32_t>(divide_up(ends[i] - begins[i], steps[i])));
        }
        return Shape(std::move(sizes));
    }
};

template <typename T>
Range normalized(const Tensor& input, ttsl::Span<const T> begins, ttsl::Span<const T> ends, ttsl::Span<const T> step) {
    const Shape& shape = input.logical_shape();
    TT_FATAL(
        shape.rank() == begins.size(), "slice: Input rank {} and begins {} must have the same size", shape.rank(),
        begins.size());
    TT_FATAL(
        begins.size() == ends.size(), "slice: Start {} and end {} must have the same size", begins.size(), ends.size());
    TT_FATAL(
        step.size() == begins.size(), "slice: Step {} must have the same size as start {} and end", step.size(),
        begins.size());
    const auto wrapped = [](T index, std::uint32_t size) {
        const auto value = static_cast<std::int64_t>(index);
        return static_cast<std::size_t>(value < 0 ? value + size : value);
    };
    Range range;
    for (std::size_t i = 0; i < begins.size(); ++i) {
        const std::uint32_t size = shape[static_cast<std::int32_t>(i)];
        range.begins.push_back(wrapped(begins[i], size));
        range.ends.push_back(wrapped(ends[i], size));
        TT_FATAL(
            static_cast<std::int64_t>(step[i]) > 0, "slice: Step({}) = {} should be positive", i,
            static_cast<std::int64_t>(step[i]));
        range.steps.push_back(static_cast<std::size_t>(step[i]));
        TT_FATAL(
            range.ends[i] >= range.begins[i], "slice: End {} must be greater than or equal to start {}", range.ends[i],
            range.begins[i]);
        TT_FATAL(
            range.ends[i] <= size, "slice: Ends {} must be less than or equal to the shape of the tensor {}",
            range.ends[i], size);
    }
    return range;
}

bool split_by_columns(const MemoryConfig& memory) {
    return memory.is_sharded() && memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED;
}

// Whether the card slices row-major shards by way of interleaved memory.
bool leaves_shards(const Tensor& input, const MemoryConfig& memory, const Range& range) {
    if (input.layout() != Layout::ROW_MAJOR) {
        return false;
    }
    const Shape& shape = input.logical_shape();
    const bool odd_width = shape[-1] % kTileSide != 0;
    if (split_by_columns(memory) && odd_width) {
        return true;
    }
    if (!input.is_sharded()) {
        return false;
    }
    if (split_by_columns(input.memory_config())) {
        return odd_width || range.begins.back() != 0;
    }
    const bool in_place = memory.is_sharded() && memory.shard_spec() &&
                          memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED && !range.strided();
    return (odd_width || (shape.rank() >= 2 && shape[-2] % kTileSide != 0)) && !in_place;
}

// A sharded input hands its grid on; the shards shrink with the shape.
MemoryConfig inherited_memory(const MemoryConfig& memory, Shape shape, bool tiled) {
    if (!memory.shard_spec() || shape.rank() < 2 || shape.volume() == 0) {
        return memory;
    }
    const std::size_t unit = tiled ? kTileSide : 1;
    if (tiled) {
        shape = tile_padded(shape, Layout::TILE);
    }
    const std::size_t width = shape[-1];
    const std::size_t height = shape.volume() / width;
    ShardSpec shards = *memory.shard_spec();
    const auto part = [&](std::size_t length, std::size_t parts) {
        return static_cast<std::uint32_t>(round_up(divide_up(length, parts), unit));
    };
    switch (memory.memory_layout()) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            shards.shape = {part(height, shards.num_cores()), static_cast<std::uint32_t>(width)};
            break;
        case TensorMemoryLayout::WIDTH_SHARDED:
            shards.shape = {static_cast<std::uint32_t>(height), part(width, shards.num_cores())};
            break;
        default: {
            const CoreCoord grid = shards.grid.bounding_box().grid_size();
            shards.shape = {part(height, grid.y), part(width, grid.x)};
            break;
        }
    }
    return MemoryConfig(memory.memory_layout(), memory.buffer_type(), shards);
}

Tensor slice_op(
    const Tensor& input, const Range& range, const MemoryConfig& memory, const std::optional<Tensor>& output) {
    const Shape shape = range.shape();
    const std::size_t rank = shape.rank();
    const MemoryConfig target = with_shards(input, tile_padded(shape, input.layout()), memory);
    const TensorSpec spec = output ? output->tensor_spec()
                                   : TensorSpec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), target));
    TT_FATAL(
        spec.logical_shape() == shape, "slice: The preallocated output tensor needs a shape of {}, however it is {}",
        to_string(shape), to_string(spec.logical_shape()));
    const std::vector<std::size_t> strides = strides_at_rank(input.tensor_spec(), rank);
    Transfer transfer;
    kernels::StridedMove& move = transfer.move;
    move.sizes = sizes_at_rank(shape, rank);
    move.out_strides = strides_at_rank(spec, rank);
    for (std::size_t i = 0; i < rank; ++i) {
        move.in_strides.push_back(strides[i] * range.steps[i]);
        move.in_offset += strides[i] * range.begins[i];
    }
    if (input.layout() == Layout::TILE) {
        // Whole tiles: what lies behind the end stays in their padding.
        move.sizes[rank - 1] = spec.padded_shape()[-1];
        move.sizes[rank - 2] = spec.padded_shape()[-2];
    } else if (matrix_of(spec).padded()) {
        transfer.fill = 0;
    }
    return launch_movement(
        {.name = "SliceDeviceOperation",
         .attributes = JsonText()
                           .field("slice_start", range.begins)
                           .field("slice_end", range.ends)
                           .field("step", range.steps)
                           .field("output_mem_config", target)
                           .str(),
         .inputs = {input},
         .output_spec = spec,
         .output = output,
         .transfers = {transfer},
         .circular_buffer_bytes =
             slice_buffers(input, spec, static_cast<std::uint32_t>(range.begins.back()), range.strided())});
}

Tensor into(const Tensor& result, const std::optional<Tensor>& output) {
    return !output || result.buffer() == output->buffer() ? result : copy(result, *output);
}

Tensor slice_range(
    const Tensor& input, const Range& range, const std::optional<MemoryConfig>& memory_arg,
    const std::optional<Tensor>& output, const std::optional<float>& pad_value) {
    const Shape shape = range.shape();
    const std::size_t rank = shape.rank();
    MemoryConfig memory = output ? output->memory_config() : memory_arg.value_or(input.memory_config());
    if (shape == input.logical_shape()) {
        return into(to_memory_config(input, with_shards(input, input.padded_shape(), memory)), output);
    }
    if (shape.volume() == 0) {
        return output ? *output
                      : create_device_tensor(
                            TensorSpec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), memory)),
                            input.device());
    }
    const bool needs_shards = memory.is_sharded() && !memory.shard_spec() &&
                              (!input.is_sharded() || input.memory_config().memory_layout() != memory.memory_layout());
    if (leaves_shards(input, memory, range) || needs_shards) {
        const Tensor source = input.layout() == Layout::ROW_MAJOR ? to_memory_config(input, L1_MEMORY_CONFIG) : input;
        const Tensor sliced = slice_range(source, range, L1_MEMORY_CONFIG, std::nullopt, pad_value);
        if (memory.is_sharded() && !memory_arg && !output) {
            memory = inherited_memory(memory, shape, input.layout() == Layout::TILE);
        }
        return into(to_memory_config(sliced, with_shards(sliced, sliced.padded_shape(), memory)), output);
    }
    const bool tiles = input.layout() == Layout::TILE && !range.strided() && rank > 1 &&
                       range.begins[rank - 1] % kTileSide == 0 && range.begins[rank - 2] % kTileSide == 0;
    if (!memory_arg && !output && input.is_sharded()) {
        memory = inherited_memory(memory, shape, tiles);
    }
    if (tiles || input.layout() == Layout::ROW_MAJOR) {
        Tensor sliced = slice_op(input, range, memory, output);
        if (tiles && pad_value) {
            sliced = fill_implicit_tile_padding(sliced, *pad_value);
        }
        return sliced;
    }
    TT_FATAL(
        !range.strided() || !is_block_float(input.dtype()),
        "slice: Strided slice is not supported for BFLOAT8 tensors");
    const MemoryConfig rows_memory =
        input.is_sharded() ? MemoryConfig(TensorMemoryLayout::INTERLEAVED, memory.buffer_type()) : memory;
    const Tensor rows =
        to_layout(input, Layout::ROW_MAJOR, std::nullopt, rows_memory.is_sharded() ? L1_MEMORY_CONFIG : rows_memory);
    const MemoryConfig interleaved(TensorMemoryLayout::INTERLEAVED, memory.buffer_type());
    Tensor sliced = slice_op(rows, range, interleaved, std::nullopt);
    sliced = to_layout(sliced, Layout::TILE, std::nullopt, std::nullopt, std::nullopt, pad_value.value_or(0.0F));
    if (memory.is_sharded()) {
        if (!memory_arg && !output && input.is_sharded()) {
            memory = inherited_memory(input.memory_config(), shape, true);
        }
        sliced = to_memory_config(sliced, with_shards(sliced, sliced.padded_shape(), memory));
    }
    return into(sliced, output);
}

}  // namespace

template <typename T>
Tensor slice(
    const Tensor& input_tensor, ttsl::Span<const T> begins, ttsl::Span<const T> ends, ttsl::Span<const T> step,
    const std::optional<MemoryConfig>& memory_config_arg, const std::optional<Tensor>& optional_output_tensor,
    const std::optional<float>& pad_value) {
    if (input_tensor.logical_shape().rank() == 0) {
        return input_tensor;
    }
    ApiCall call(
        "ttnn::slice", {&input_tensor, optional_output_tensor ? &*optional_output_tensor : nullptr},
        [&](JsonText& json) {
            json.tensor("input_tensor", 0)
                .field("begins", begins)
                .field("ends", ends)
                .field("step", step)
                .field("memory_config_arg", memory_config_arg)
                .tensor("optional_output_tensor", optional_output_tensor ? std::optional<std::size_t>(1) : std::nullopt)
                .field("pad_value", pad_value);
        });
    check_device_tensors("slice", {&input_tensor});
    return call.returns(slice_range(
        input_tensor, normalized(input_tensor, begins, ends, step), memory_config_arg, optional_output_tensor,
        pad_value));
}

#define TTNN_CPU_INSTANTIATE(T)                                                       \
    template Tensor slice<T>(                                                         \
        const Tensor&, ttsl::Span<const T>, ttsl::Span<const T>, ttsl::Span<const T>, \
        const std::optional<MemoryConfig>&, const std::optional<Tensor>&, const std::optional<float>&);
TTNN_CPU_INSTANTIATE(std::uint32_t)
TTNN_CPU_INSTANTIATE(std::int32_t)
#undef TTNN_CPU_INSTANTIATE

}  // namespace ttnn
