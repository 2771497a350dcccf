// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/pad/pad.hpp>

#include <algorithm>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/fill_pad/fill_pad.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "core/tensor_impl.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/permute.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using operations::data_movement::PadSpecDim;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

using Padding = ttsl::SmallVector<PadSpecDim>;

Shape padded_by(const Shape& shape, const Padding& padding) {
    Shape result = shape;
    for (std::size_t i = 0; i < padding.size(); ++i) {
        result[static_cast<std::int32_t>(i)] += padding[i].before_elements + padding[i].after_elements;
    }
    return result;
}

std::uint64_t rows_of(const Shape& shape) { return shape.volume() / shape[-1]; }

// Height shards get wider in one op and higher in the next.
bool grows_in_shards(const Tensor& input, const Shape& shape, const std::optional<MemoryConfig>& asked) {
    const auto in_rows = [](const MemoryConfig& memory) {
        return memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED;
    };
    return in_rows(input.memory_config()) && in_rows(asked.value_or(input.memory_config())) &&
           shape[-1] != input.logical_shape()[-1] && rows_of(shape) != rows_of(input.logical_shape());
}

// A tensor in height shards that gets wider, or higher without a config, stays on its cores with shards to match.
MemoryConfig pad_memory(const Tensor& input, const Shape& shape, const std::optional<MemoryConfig>& asked) {
    const MemoryConfig memory = asked.value_or(input.memory_config());
    if (!input.is_sharded() || input.memory_config().memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED ||
        memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED) {
        return memory;
    }
    const bool wider = shape[-1] != input.logical_shape()[-1];
    if (!wider && asked) {
        return memory;
    }
    const Shape stored = tile_padded(shape, input.layout());
    ShardSpec shards = *input.shard_spec();
    const std::size_t unit = input.layout() == Layout::TILE ? kTileSide : 1;
    shards.shape = {
        static_cast<std::uint32_t>(round_up(divide_up(rows_of(stored), shards.num_cores()), unit)), stored[-1]};
    return MemoryConfig(TensorMemoryLayout::HEIGHT_SHARDED, memory.buffer_type(), shards);
}

// tt-metal fills rows with 32 bits that it makes of two bfloat16: a FLOAT32 tensor gets the value in its upper half and once more
// in its lower. Only where shards in L1 get wider, and stay as they are otherwise, are they the bits of the FLOAT32.
std::uint32_t fill_bits(const Tensor& input, const Shape& shape, const MemoryConfig& memory, float value) {
    const bool rows_twice = input.dtype() == DataType::FLOAT32 && input.layout() == Layout::ROW_MAJOR;
    const bool only_wider = input.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED &&
                            input.memory_config().is_l1() &&
                            memory.memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED &&
                            rows_of(shape) == rows_of(input.logical_shape());
    if (!rows_twice || only_wider) {
        return padding_bits(input.dtype(), value);
    }
    const std::uint32_t half = padding_bits(DataType::BFLOAT16, value);
    return half << 16 | half;
}

Tensor pad_op(
    const Tensor& input, const Padding& padding, float value, bool use_multicore,
    const std::optional<MemoryConfig>& asked) {
    const Shape shape = padded_by(input.logical_shape(), padding);
    const std::size_t rank = shape.rank();
    if (grows_in_shards(input, shape, asked)) {
        Padding across(rank, PadSpecDim{0, 0});
        across.back() = padding.back();
        Padding down = padding;
        down.back() = {0, 0};
        return pad_op(pad_op(input, across, value, use_multicore, asked), down, value, use_multicore, asked);
    }
    TT_FATAL(
        input.dtype() != DataType::UINT8, "ttnn.pad: Cannot pad {} tensor with specified format {}",
        to_string(input.layout()), to_string(input.dtype()));
    TT_FATAL(
        !input.is_sharded() || has_aligned_pages(input),
        "ttnn.pad: Input row-major shard width {} gives page size {} bytes, which must be aligned to {} bytes",
        input.shard_spec()->shape[1], input.tensor_spec().compute_page_size_bytes(), kL1Alignment);
    const MemoryConfig memory = pad_memory(input, shape, asked);
    TT_FATAL(
        !memory.shard_spec() || memory.shard_spec()->shape[1] * input.element_size() % kL1Alignment == 0,
        "ttnn.pad: Output row-major shard width {} gives page size {} bytes, which must be aligned to {} bytes",
        memory.shard_spec()->shape[1], memory.shard_spec()->shape[1] * input.element_size(), kL1Alignment);
    const TensorSpec spec(shape, TensorLayout(input.dtype(), PageConfig(input.layout()), memory));
    Transfer transfer;
    kernels::StridedMove& move = transfer.move;
    move.sizes = sizes_at_rank(input.logical_shape(), rank);
    move.in_strides = strides_at_rank(input.tensor_spec(), rank);
    move.out_strides = strides_at_rank(spec, rank);
    std::vector<std::uint32_t> start;
    for (std::size_t i = 0; i < rank; ++i) {
        start.push_back(padding[i].before_elements);
        move.out_offset += padding[i].before_elements * move.out_strides[i];
    }
    transfer.fill = fill_bits(input, shape, memory, value);
    transfer.fill_all = true;
    std::optional<std::uint64_t> buffers;
    if (input.layout() == Layout::ROW_MAJOR && !input.is_sharded()) {
        buffers = pad_row_buffers(input, storage_bytes(input.dtype(), spec.padded_shape()[-1]), start.back() != 0);
    }
    return launch_movement(
        {.name = "PadDeviceOperation",
         .attributes = JsonText()
                           .field("output_padded_shape", spec.padded_shape())
                           .field("input_tensor_start", start)
                           .field("pad_value", value)
                           .field("output_mem_config", memory)
                           .field("use_multicore", use_multicore)
                           .str(),
         .inputs = {input},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {transfer},
         .circular_buffer_bytes = buffers});
}

Tensor pad_tiles(
    const Tensor& input, const Padding& padding, float value, bool use_multicore,
    const std::optional<MemoryConfig>& memory) {
    TT_FATAL(
        std::all_of(padding.begin(), padding.end(), [](const PadSpecDim& dim) { return dim.before_elements == 0; }),
        "ttnn.pad: on device tile padding does not support front padding");
    const Shape shape = padded_by(input.logical_shape(), padding);
    const Shape stored = tile_padded(shape.to_rank(std::max<std::size_t>(2, shape.rank())), Layout::TILE);
    if (stored == input.padded_shape()) {
        // The new elements are padding already: they only need the value.
        const Tensor filled = fill_implicit_tile_padding(input, value);
        const Tensor grown = make_view(
            filled, TensorSpec(shape, TensorLayout(filled.dtype(), PageConfig(Layout::TILE), filled.memory_config())));
        return memory ? to_memory_config(grown, *memory) : grown;
    }
    if (is_block_float(input.dtype())) {
        return typecast(
            pad_op(typecast(input, DataType::BFLOAT16), padding, value, use_multicore, memory), input.dtype());
    }
    return pad_op(input, padding, value, use_multicore, memory);
}

}  // namespace

Tensor pad(
    const Tensor& input_tensor, const ttsl::SmallVector<PadSpecDim>& padding, float value, bool use_multicore,
    const std::optional<MemoryConfig>& memory_config_arg) {
    const std::size_t rank = input_tensor.logical_shape().rank();
    TT_FATAL(
        padding.size() <= rank, "ttnn.pad: padding len can't be larger than input tensor rank ({} and {})",
        padding.size(), rank);
    Padding full(rank - padding.size(), PadSpecDim{0, 0});
    full.insert(full.end(), padding.begin(), padding.end());
    const auto first = std::find_if(full.begin(), full.end(), [](const PadSpecDim& dim) {
        return dim.before_elements != 0 || dim.after_elements != 0;
    });
    if (first == full.end()) {
        return input_tensor;
    }
    ApiCall call("ttnn::pad", {&input_tensor}, [&](JsonText& json) {
        std::vector<std::array<std::uint32_t, 2>> pairs;
        for (const PadSpecDim& dim : padding) {
            pairs.push_back({dim.before_elements, dim.after_elements});
        }
        json.tensor("input_tensor", 0)
            .field("padding", pairs)
            .field("value", value)
            .field("use_multicore", use_multicore)
            .field("memory_config_arg", memory_config_arg);
    });
    check_device_tensors("pad", {&input_tensor});
    TT_FATAL(
        rank <= 4 || first - full.begin() >= static_cast<std::ptrdiff_t>(rank) - 3,
        "ttnn::pad only supports padding on the lowest 3 dimensions for tensors with rank > 4 {}",
        first - full.begin());
    return call.returns(
        input_tensor.layout() == Layout::TILE ? pad_tiles(input_tensor, full, value, use_multicore, memory_config_arg)
                                              : pad_op(input_tensor, full, value, use_multicore, memory_config_arg));
}

Tensor pad(
    const Tensor& input_tensor, const ttsl::SmallVector<std::array<uint32_t, 2>>& padding, float value,
    bool use_multicore, const std::optional<MemoryConfig>& memory_config_arg) {
    Padding pairs;
    for (const auto& dim : padding) {
        pairs.push_back({dim[0], dim[1]});
    }
    return pad(input_tensor, pairs, value, use_multicore, memory_config_arg);
}

Tensor pad(
    const Tensor& input_tensor, const Array4D& output_padded_shape, const Array4D& input_tensor_start, float value,
    bool use_multicore, const std::optional<MemoryConfig>& memory_config_arg) {
    const Shape& shape = input_tensor.logical_shape();
    TT_FATAL(
        shape.rank() == 4, "ttnn.pad: input tensor must have rank 4 for a 4D output shape, but got rank {}",
        shape.rank());
    Padding pairs;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint32_t size = shape[static_cast<std::int32_t>(i)];
        TT_FATAL(
            size + input_tensor_start[i] <= output_padded_shape[i],
            "ttnn.pad: Output size cannot fit input with offset ({} + {} > {} in dimension {})", size,
            input_tensor_start[i], output_padded_shape[i], i);
        pairs.push_back({input_tensor_start[i], output_padded_shape[i] - size - input_tensor_start[i]});
    }
    return pad(input_tensor, pairs, value, use_multicore, memory_config_arg);
}

}  // namespace ttnn
