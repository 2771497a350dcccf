// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/untilize/untilize.hpp>

#include <ttnn/operations/data_movement/untilize_with_unpadding/untilize_with_unpadding.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/layout_buffers.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardOrientation;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

// Row-major has no block floats; their values fit into bfloat16.
DataType untilized_dtype(DataType dtype) { return is_block_float(dtype) ? DataType::BFLOAT16 : dtype; }

std::uint32_t up(std::size_t value, std::size_t parts, std::size_t multiple) {
    return static_cast<std::uint32_t>(round_up(divide_up(value, parts), multiple));
}

// The shards of the output when both sides are sharded in one way, or only the output is.
MemoryConfig unpadded_memory(const Tensor& input, const MemoryConfig& memory, const Shape& shape) {
    const bool from_shards = input.is_sharded();
    if (!memory.is_sharded() || (from_shards && input.memory_config().memory_layout() != memory.memory_layout())) {
        return memory;
    }
    TT_FATAL(
        from_shards || memory.shard_spec(),
        "untilize_with_unpadding: Output memory config {} is sharded but no shard spec is provided", to_string(memory));
    ShardSpec shard = from_shards ? *input.shard_spec() : *memory.shard_spec();
    const std::size_t height = shape.volume() / shape[-1];
    const std::size_t width = shape[-1];
    switch (memory.memory_layout()) {
        case TensorMemoryLayout::WIDTH_SHARDED:
            shard.shape = {
                static_cast<std::uint32_t>(height),
                from_shards ? shard.shape[1] : up(width, shard.num_cores(), kTileSide)};
            break;
        case TensorMemoryLayout::BLOCK_SHARDED: {
            CoreCoord grid = shard.grid.bounding_box().grid_size();
            if (shard.orientation != ShardOrientation::ROW_MAJOR) {
                std::swap(grid.x, grid.y);
            }
            shard.shape = {up(height, grid.y, kTileSide), up(width, grid.x, kTileSide)};
            break;
        }
        default: {
            // Whole matrices on a core lose the padding rows of each of them.
            const std::size_t matrices =
                from_shards ? shard.numel() / (std::size_t{input.padded_shape()[-2]} * input.padded_shape()[-1]) : 1;
            shard.shape = {
                matrices > 1 ? static_cast<std::uint32_t>(matrices * shape[-2])
                             : up(height, shard.num_cores(), kTileSide),
                from_shards ? static_cast<std::uint32_t>(width) : shard.shape[1]};
            break;
        }
    }
    return MemoryConfig(memory.memory_layout(), memory.buffer_type(), shard);
}

void check_unpadding_shards(const Tensor& input, const MemoryConfig& memory) {
    if (!input.is_sharded()) {
        return;
    }
    const TensorMemoryLayout from = input.memory_config().memory_layout();
    const std::size_t slices =
        input.physical_volume() / (std::size_t{input.padded_shape()[-2]} * input.padded_shape()[-1]);
    if (memory.is_sharded()) {
        const bool crosswise =
            from != TensorMemoryLayout::HEIGHT_SHARDED && memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED;
        TT_FATAL(
            from == memory.memory_layout() || crosswise,
            "untilize_with_unpadding: Output memory config layout ({}) must match input tensor memory layout ({})",
            to_string(memory.memory_layout()), to_string(from));
        TT_FATAL(
            from != memory.memory_layout() || memory.is_l1(),
            "untilize_with_unpadding: {} -> {} output must be in L1; got buffer_type={}", to_string(from),
            to_string(memory.memory_layout()), to_string(memory.buffer_type()));
        TT_FATAL(
            from != TensorMemoryLayout::BLOCK_SHARDED || slices == 1,
            "untilize_with_unpadding: Can only write unbatched output for BLOCK_SHARDED -> {}",
            to_string(memory.memory_layout()));
    } else {
        TT_FATAL(
            from == TensorMemoryLayout::HEIGHT_SHARDED || slices == 1,
            "untilize_with_unpadding: Can only write unbatched output interleaved; a {} input has {} slices",
            to_string(from), slices);
    }
}

Shape last_indices(const Shape& shape) {
    Shape end = shape;
    for (std::size_t i = 0; i < shape.rank(); ++i) {
        --end[static_cast<std::int32_t>(i)];
    }
    return end;
}

// The kernel for tiles of bfloat16 that are interleaved and in part padding leaves the padding out. It holds a row of tiles twice.
bool is_compacted(const Tensor& input, const MemoryConfig& memory, bool use_multicore) {
    constexpr std::size_t kMostBytes = 800'000;
    const Shape& shape = input.logical_shape();
    const bool padded = shape[-2] % kTileSide != 0 || shape[-1] % kTileSide != 0;
    const std::size_t row_bytes =
        divide_up(shape[-1], kTileSide) * storage_bytes(DataType::BFLOAT16, kTileSide * kTileSide);
    return use_multicore && input.dtype() == DataType::BFLOAT16 && !input.is_sharded() && !memory.is_sharded() &&
           padded && 2 * row_bytes <= kMostBytes;
}

}  // namespace

Tensor untilize(const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config, bool use_multicore) {
    check_device_tensors("untilize", {&input_tensor});
    const bool in_dram = !input_tensor.is_sharded() && input_tensor.memory_config().is_dram();
    if (input_tensor.logical_shape() != input_tensor.padded_shape() &&
        (in_dram || is_compacted(input_tensor, memory_config.value_or(input_tensor.memory_config()), use_multicore))) {
        return untilize_with_unpadding(
            input_tensor, last_indices(input_tensor.logical_shape()), memory_config, use_multicore);
    }
    ApiCall call("ttnn::untilize", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("memory_config", memory_config).field("use_multicore", use_multicore);
    });
    TT_FATAL(input_tensor.layout() == Layout::TILE, "untilize: Can only untilize tile major data");
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    const DataType dtype = untilized_dtype(input_tensor.dtype());
    if (memory.is_sharded()) {
        TT_FATAL(
            memory.shard_spec().has_value(),
            "untilize: Output memory config is sharded but no shard spec or nd shard spec is provided");
        TT_FATAL(
            memory.memory_layout() != TensorMemoryLayout::BLOCK_SHARDED || memory.is_l1(),
            "untilize: We don't support DRAM block sharding");
        const std::size_t row_bytes = storage_bytes(dtype, memory.shard_spec()->shape[1]);
        const std::uint32_t alignment = memory.is_dram() ? kDramAlignment : kL1Alignment;
        TT_FATAL(
            row_bytes % alignment == 0,
            "untilize: Output shard row size {} bytes must be aligned to {} bytes buffer alignment requirement",
            row_bytes, alignment);
    }
    const TensorSpec spec =
        spec_with_padding(input_tensor.logical_shape(), dtype, Layout::ROW_MAJOR, memory, input_tensor.padded_shape());
    return call.returns(launch_movement(
        {.name = "UntilizeDeviceOperation",
         .attributes = JsonText().field("output_mem_config", memory).field("use_multicore", use_multicore).str(),
         .inputs = {input_tensor},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {whole_transfer(input_tensor.tensor_spec(), spec)},
         .circular_buffer_bytes = untilize_buffers(input_tensor, spec, false)}));
}

Tensor untilize_with_unpadding(
    const Tensor& input_tensor, const Shape& output_tensor_end, const std::optional<MemoryConfig>& memory_config,
    bool use_multicore) {
    ApiCall call("ttnn::untilize_with_unpadding", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("output_tensor_end", output_tensor_end)
            .field("memory_config", memory_config)
            .field("use_multicore", use_multicore);
    });
    check_device_tensors("untilize_with_unpadding", {&input_tensor});
    TT_FATAL(input_tensor.layout() == Layout::TILE, "untilize_with_unpadding: Can only untilize tile major data");
    const std::size_t rank = input_tensor.logical_shape().rank();
    TT_FATAL(
        output_tensor_end.rank() >= rank,
        "untilize_with_unpadding: output_tensor_end {} must have an index for each dimension of {}",
        to_string(output_tensor_end), to_string(input_tensor.logical_shape()));
    Shape shape = input_tensor.logical_shape();
    const Shape& padded = input_tensor.padded_shape();
    for (std::size_t i = 0; i < rank; ++i) {
        const auto dim = static_cast<std::int32_t>(i);
        shape[dim] = output_tensor_end[dim] + 1;
        const std::uint32_t limit = padded[dim - static_cast<std::int32_t>(rank)];
        TT_FATAL(
            shape[dim] <= limit, "untilize_with_unpadding: output_tensor_end {} is outside the padded shape {}",
            to_string(output_tensor_end), to_string(padded));
    }
    const MemoryConfig asked = memory_config.value_or(input_tensor.memory_config());
    check_unpadding_shards(input_tensor, asked);
    const MemoryConfig memory = unpadded_memory(input_tensor, asked, shape);
    const DataType dtype = untilized_dtype(input_tensor.dtype());
    const TensorSpec spec(shape, TensorLayout(dtype, PageConfig(Layout::ROW_MAJOR), memory));
    Transfer transfer;
    transfer.move = {
        .sizes = sizes_at_rank(shape, rank),
        .in_strides = strides_at_rank(input_tensor.tensor_spec(), rank),
        .out_strides = strides_at_rank(spec, rank)};
    if (matrix_of(spec).padded()) {
        transfer.fill = 0;
    }
    return call.returns(launch_movement(
        {.name = "UntilizeWithUnpaddingDeviceOperation",
         .attributes = JsonText()
                           .field("output_tensor_end", output_tensor_end)
                           .field("output_mem_config", memory)
                           .field("use_multicore", use_multicore)
                           .str(),
         .inputs = {input_tensor},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {transfer},
         .circular_buffer_bytes = untilize_buffers(input_tensor, spec, true)}));
}

}  // namespace ttnn
