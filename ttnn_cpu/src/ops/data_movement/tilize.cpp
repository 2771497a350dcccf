// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/tilize/tilize.hpp>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/data_movement/fill_pad/fill_pad.hpp>
#include <ttnn/operations/data_movement/tilize_with_val_padding/tilize_with_val_padding.hpp>
#include <ttnn/tensor/tensor_ops.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/layout_buffers.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

void check_packs(const char* op, DataType from, DataType to) {
    TT_FATAL(
        from == to || (is_floating_point(from) && is_floating_point(to)),
        "{}: data type {} does not pack to {}; use typecast", op, to_string(from), to_string(to));
}

Tensor tilize_op(
    const char* name, std::string attributes, const Tensor& input, const TensorSpec& spec, std::uint32_t pad_bits,
    bool pads) {
    Transfer transfer = whole_transfer(input.tensor_spec(), spec);
    if (transfer.fill) {
        transfer.fill = pad_bits;
    }
    return launch_movement(
        {.name = name,
         .attributes = std::move(attributes),
         .inputs = {input},
         .output_spec = spec,
         .output = std::nullopt,
         .transfers = {transfer},
         .circular_buffer_bytes = tilize_buffers(input, spec, pads)});
}

// With shards on both sides, of one kind and in L1, the output keeps the shards of the input.
MemoryConfig tilized_memory(const Tensor& input, const MemoryConfig& memory) {
    const MemoryConfig& from = input.memory_config();
    const bool same_kind = from.is_sharded() && memory.is_sharded() && from.memory_layout() == memory.memory_layout();
    if (!same_kind || !from.is_l1() || !memory.is_l1() || from.shard_spec()->shape[0] % kTileSide != 0 ||
        from.shard_spec()->shape[1] % kTileSide != 0) {
        return memory;
    }
    return MemoryConfig(from.memory_layout(), memory.buffer_type(), from.shard_spec());
}

// Tells an integer, which may be a bit pattern, from a float of the same value.
std::string pad_text(const PadValue& value) {
    const auto* number = std::get_if<float>(&value);
    return number != nullptr ? fmt::format("{}f", *number) : fmt::format("{}", std::get<std::uint32_t>(value));
}

}  // namespace

Tensor tilize(
    const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config, std::optional<DataType> output_dtype,
    bool use_multicore, bool use_low_perf, tt::tt_metal::Tile) {
    ApiCall call("ttnn::tilize", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("memory_config", memory_config)
            .field("output_dtype", output_dtype)
            .field("use_multicore", use_multicore)
            .field("use_low_perf", use_low_perf);
    });
    check_device_tensors("tilize", {&input_tensor});
    TT_FATAL(input_tensor.layout() == Layout::ROW_MAJOR, "tilize: Can only tilize row major data");
    const Shape& padded = input_tensor.padded_shape();
    TT_FATAL(
        padded.rank() >= 2 && padded[-1] % kTileSide == 0,
        "tilize: Input tensor width ({}) must be divisible by tile width ({})", padded[-1], kTileSide);
    TT_FATAL(
        padded[-2] % kTileSide == 0, "tilize: Input tensor height ({}) must be divisible by tile height ({})",
        padded[-2], kTileSide);
    if (input_tensor.is_sharded()) {
        TT_FATAL(use_multicore, "tilize: Multicore must be enabled for sharded input");
        TT_FATAL(
            has_aligned_pages(input_tensor),
            "tilize: Input row-major shard width {} gives page size {} bytes, which must be aligned to {} bytes L1 "
            "SRAM buffer "
            "alignment requirement",
            input_tensor.shard_spec()->shape[1], input_tensor.tensor_spec().compute_page_size_bytes(), kL1Alignment);
    }
    const DataType dtype = output_dtype.value_or(input_tensor.dtype());
    check_packs("tilize", input_tensor.dtype(), dtype);
    const MemoryConfig memory = tilized_memory(input_tensor, memory_config.value_or(input_tensor.memory_config()));
    return call.returns(tilize_op(
        "TilizeDeviceOperation",
        JsonText()
            .field("output_mem_config", memory)
            .field("output_dtype", dtype)
            .field("use_multicore", use_multicore)
            .field("use_low_perf", use_low_perf)
            .str(),
        input_tensor, TensorSpec(input_tensor.logical_shape(), TensorLayout(dtype, PageConfig(Layout::TILE), memory)),
        0, false));
}

Tensor tilize_with_val_padding(
    const Tensor& input_tensor, const Shape& output_padded_shape, PadValue pad_value,
    const std::optional<MemoryConfig>& memory_config, std::optional<DataType> output_dtype, bool use_multicore) {
    if (input_tensor.layout() == Layout::TILE) {
        return input_tensor;
    }
    ApiCall call("ttnn::tilize_with_val_padding", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("output_padded_shape", output_padded_shape)
            .field("pad_value", pad_text(pad_value))
            .field("memory_config", memory_config)
            .field("output_dtype", output_dtype)
            .field("use_multicore", use_multicore);
    });
    check_device_tensors("tilize_with_val_padding", {&input_tensor});
    const DataType dtype = output_dtype.value_or(input_tensor.dtype());
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    TT_FATAL(
        input_tensor.dtype() != DataType::UINT8,
        "tilize_with_val_padding: Can only tilize bfloat16/float32 or int32/uint32/uint16 tensors, not {}",
        to_string(input_tensor.dtype()));
    check_packs("tilize_with_val_padding", input_tensor.dtype(), dtype);
    TT_FATAL(
        output_padded_shape.rank() >= 2 && output_padded_shape[-1] % kTileSide == 0 &&
            output_padded_shape[-2] % kTileSide == 0,
        "tilize_with_val_padding: To be tilizable output tensor shape {} must be divisible by tile size ({}, {})",
        to_string(output_padded_shape), kTileSide, kTileSide);
    const Shape logical = input_tensor.logical_shape().to_rank(output_padded_shape.rank());
    for (std::size_t i = 0; i < logical.rank(); ++i) {
        const auto dim = static_cast<std::int32_t>(i);
        TT_FATAL(
            logical[dim] <= output_padded_shape[dim],
            "tilize_with_val_padding: Output tensor shape {} must be greater than or equal to input shape {} in each "
            "dimension, "
            "but is smaller in dimension {}",
            to_string(output_padded_shape), to_string(input_tensor.logical_shape()), i);
    }
    MemoryConfig target = memory;
    if (input_tensor.is_sharded() && memory.is_sharded() &&
        input_tensor.memory_config().memory_layout() == TensorMemoryLayout::WIDTH_SHARDED &&
        memory.memory_layout() == TensorMemoryLayout::WIDTH_SHARDED &&
        input_tensor.padded_shape()[-1] == output_padded_shape[-1]) {
        ShardSpec shard = *input_tensor.shard_spec();
        shard.shape[0] = static_cast<std::uint32_t>(output_padded_shape.volume() / output_padded_shape[-1]);
        target = MemoryConfig(memory.memory_layout(), memory.buffer_type(), shard);
    }
    return call.returns(tilize_op(
        "TilizeWithValPaddingDeviceOperation",
        JsonText()
            .field("output_padded_shape", output_padded_shape)
            .field("pad_value", pad_text(pad_value))
            .field("output_mem_config", target)
            .field("output_dtype", dtype)
            .field("use_multicore", use_multicore)
            .str(),
        input_tensor, spec_with_padding(input_tensor.logical_shape(), dtype, Layout::TILE, target, output_padded_shape),
        padding_bits(input_tensor.dtype(), pad_value), true));
}

Tensor tilize_with_val_padding(
    const Tensor& input_tensor, const ttsl::SmallVector<uint32_t>& output_padded_shape, PadValue pad_value,
    const std::optional<MemoryConfig>& memory_config, std::optional<DataType> output_dtype, bool use_multicore) {
    return tilize_with_val_padding(
        input_tensor, Shape(output_padded_shape), pad_value, memory_config, output_dtype, use_multicore);
}

Tensor tilize_with_zero_padding(
    const Tensor& input_tensor, const std::optional<MemoryConfig>& memory_config, std::optional<DataType> output_dtype,
    bool use_multicore) {
    Shape padded = input_tensor.padded_shape();
    TT_FATAL(padded.rank() >= 2, "tilize_with_zero_padding: shape {} must have two dimensions", to_string(padded));
    padded[-2] = static_cast<std::uint32_t>(round_up(padded[-2], kTileSide));
    padded[-1] = static_cast<std::uint32_t>(round_up(padded[-1], kTileSide));
    const PadValue zero = is_floating_point(input_tensor.dtype()) ? PadValue(0.0F) : PadValue(std::uint32_t{0});
    return tilize_with_val_padding(input_tensor, padded, zero, memory_config, output_dtype, use_multicore);
}

Tensor fill_implicit_tile_padding(
    const Tensor& input_tensor, PadValue fill_value, const std::optional<MemoryConfig>& memory_config) {
    const kernels::MatrixShape shape = matrix_of(input_tensor.tensor_spec());
    if (shape.height % kTileSide == 0 && shape.width % kTileSide == 0) {
        return input_tensor;
    }
    ApiCall call("ttnn::fill_implicit_tile_padding", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("fill_value", pad_text(fill_value)).field("memory_config", memory_config);
    });
    check_device_tensors("fill_implicit_tile_padding", {&input_tensor});
    TT_FATAL(
        input_tensor.layout() == Layout::TILE,
        "fill_implicit_tile_padding: FillPad should only be used for tile layout");
    const bool block = is_block_float(input_tensor.dtype());
    const Tensor target = block ? typecast(input_tensor, DataType::BFLOAT16) : input_tensor;
    const std::size_t bytes = target.element_size();
    const std::uint32_t bits = padding_bits(target.dtype(), fill_value);
    // In place, as on the card.
    Tensor filled =
        launch({.name = "FillPadDeviceOperation",
                .attributes = JsonText().field("fill_value", pad_text(fill_value)).str(),
                .inputs = {target},
                .output_specs = {},
                .outputs = {target},
                .create_program =
                    [&](Numerics) {
                        Program program;
                        program.core_count = cores_for(target.tensor_spec(), *target.device());
                        program.circular_buffer_bytes = 2 * target.tensor_spec().compute_page_size_bytes();
                        program.kernel = [shape, bytes, bits](
                                             std::span<const BufferRef>, std::span<const BufferRef> outputs) {
                            kernels::fill_padding(shape, bytes, bits, outputs[0].data);
                        };
                        return program;
                    }})
            .front();
    return call.returns(block ? typecast(filled, input_tensor.dtype()) : filled);
}

}  // namespace ttnn
