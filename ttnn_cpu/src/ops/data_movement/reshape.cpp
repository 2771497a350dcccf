// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>

#include <ttnn/operations/copy/typecast/typecast.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/fill_pad/fill_pad.hpp>
#include <ttnn/operations/data_movement/sharded/sharded_to_interleaved/sharded_to_interleaved.hpp>
#include <ttnn/operations/data_movement/view/view.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "core/tensor_impl.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

std::uint32_t dim_or_one(const Shape& shape, std::int32_t from_end) {
    return static_cast<std::int32_t>(shape.rank()) >= -from_end ? shape[from_end] : 1;
}

Shape infer_shape(const Tensor& tensor, ttsl::Span<const std::int32_t> shape) {
    Shape::Container dims(shape.begin(), shape.end());
    std::uint64_t known = 1;
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (shape[i] == -1) {
            TT_FATAL(
                !open, "reshape: Shape cannot have more than 1 elements that is set to -1! Shape used: ({})",
                fmt::join(shape, ","));
            open = i;
        } else {
            TT_FATAL(shape[i] >= 0, "reshape: dimension {} of shape ({}) is negative", i, fmt::join(shape, ","));
            known *= static_cast<std::uint64_t>(shape[i]);
        }
    }
    const std::uint64_t volume = tensor.logical_volume();
    if (open) {
        TT_FATAL(
            known != 0,
            "cannot reshape tensor of 0 elements into shape ({}) because the unspecified dimension size -1 can be any "
            "value and is "
            "ambiguous",
            fmt::join(shape, ","));
        TT_FATAL(
            volume % known == 0, "Invalid arguments to reshape: {} elements do not go into shape ({})", volume,
            fmt::join(shape, ","));
        dims[*open] = static_cast<std::uint32_t>(volume / known);
    } else {
        TT_FATAL(
            known == volume, "Invalid arguments to reshape: {} elements do not go into shape ({})", volume,
            fmt::join(shape, ","));
    }
    return Shape(std::move(dims));
}

// The same memory; shards that hold whole rows of the old width are cut anew for the new one.
Tensor as_view(const Tensor& tensor, const Shape& shape) {
    if (tensor.logical_shape() == shape) {
        return tensor;
    }
    return make_view(
        tensor,
        spec_with_padding(
            shape, tensor.dtype(), tensor.layout(), tensor.memory_config(), view_padding(tensor.tensor_spec(), shape)));
}

Tensor reshape_op(const Tensor& input, const TensorSpec& spec) {
    const kernels::MatrixShape from = matrix_of(input.tensor_spec());
    const kernels::MatrixShape to = matrix_of(spec);
    TT_FATAL(
        input.dtype() == DataType::BFLOAT16 || input.dtype() == DataType::FLOAT32 ||
            input.dtype() == DataType::UINT32 || input.dtype() == DataType::INT32,
        "reshape: Can only work with bfloat16/float32 or int32/uint32 tensors, not {}", to_string(input.dtype()));
    const std::size_t bytes = input.element_size();
    return launch({.name = "ReshapeViewDeviceOperation",
                   .attributes = JsonText()
                                     .field("logical_output_shape", spec.logical_shape())
                                     .field("padded_output_shape", spec.padded_shape())
                                     .field("output_mem_config", spec.memory_config())
                                     .str(),
                   .inputs = {input},
                   .output_specs = {spec},
                   .outputs = {},
                   .create_program =
                       [&](Numerics) {
                           Program program;
                           program.core_count = cores_for(spec, *input.device());
                           program.circular_buffer_bytes = reshape_buffers(input, spec);
                           program.kernel = [from, to, bytes](
                                                std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
                               kernels::fill_padding(to, bytes, 0, outputs[0].data);
                               kernels::reshape_rows(from, to, bytes, inputs[0].data, outputs[0].data);
                           };
                           return program;
                       }})
        .front();
}

Tensor reshape_rows_of(const Tensor& tensor, const Shape& shape, const MemoryConfig& memory) {
    Tensor input = tensor;
    if (tensor.is_sharded()) {
        input = sharded_to_interleaved(
            tensor, MemoryConfig(TensorMemoryLayout::INTERLEAVED, tensor.memory_config().buffer_type()));
    }
    const MemoryConfig interleaved(TensorMemoryLayout::INTERLEAVED, memory.buffer_type());
    const Tensor output =
        reshape_op(input, TensorSpec(shape, TensorLayout(tensor.dtype(), PageConfig(Layout::ROW_MAJOR), interleaved)));
    if (!memory.is_sharded()) {
        return output;
    }
    const MemoryConfig target =
        reshaped_memory(memory, output.tensor_spec(), false, tensor.memory_config().shard_spec());
    return target.is_sharded() ? interleaved_to_sharded(output, target) : output;
}

Tensor reshape_tiles(
    const Tensor& tensor, const Shape& shape, const MemoryConfig& memory, bool explicit_memory,
    const std::optional<PadValue>& pad) {
    const bool block = is_block_float(tensor.dtype());
    Tensor input = tensor;
    if (block && input.is_sharded()) {
        input = sharded_to_interleaved(
            tensor, MemoryConfig(TensorMemoryLayout::INTERLEAVED, tensor.memory_config().buffer_type()));
    }
    if (block) {
        input = typecast(input, DataType::BFLOAT16);
    }
    const MemoryConfig interleaved(TensorMemoryLayout::INTERLEAVED, memory.buffer_type());
    const TensorSpec plain(shape, TensorLayout(input.dtype(), PageConfig(Layout::TILE), interleaved));
    const MemoryConfig target =
        memory.is_sharded() ? reshaped_memory(memory, plain, explicit_memory, tensor.memory_config().shard_spec())
                            : memory;
    Tensor output = reshape_op(
        input,
        block || !target.is_sharded() ? plain : TensorSpec(shape, plain.tensor_layout().with_memory_config(target)));
    if (block || pad) {
        output = fill_implicit_tile_padding(output, pad.value_or(0.0F));
    }
    if (block) {
        output = typecast(output, tensor.dtype());
        if (target.is_sharded()) {
            output = interleaved_to_sharded(output, target);
        }
    }
    return output;
}

}  // namespace

Tensor reshape(
    const Tensor& input_tensor, const Shape& logical_input_shape, const Shape& padded_input_shape,
    const std::optional<MemoryConfig>& memory_config, const std::optional<PadValue>& pad_value,
    TileReshapeMapMode reshape_map_mode, const std::optional<CoreRangeSet>& sub_core_grid, bool skip_padding_fill) {
    const Shape& shape = logical_input_shape;
    if (input_tensor.logical_shape() == shape &&
        (input_tensor.padded_shape() == padded_input_shape || padded_input_shape == shape)) {
        return input_tensor;
    }
    ApiCall call("ttnn::reshape", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("logical_input_shape", shape)
            .field("padded_input_shape", padded_input_shape)
            .field("memory_config", memory_config)
            .field("has_pad_value", pad_value.has_value())
            .field("recreate_mapping", reshape_map_mode == TileReshapeMapMode::RECREATE)
            .field("sub_core_grid", sub_core_grid)
            .field("skip_padding_fill", skip_padding_fill);
    });
    TT_FATAL(!sub_core_grid, "reshape: sub_core_grid is not supported by the embedded provider");
    TT_FATAL(
        shape.volume() == input_tensor.logical_volume(),
        "reshape: Attempting to reshape between two shapes with different volumes: {} has {} elements, {} has {}",
        to_string(input_tensor.logical_shape()), input_tensor.logical_volume(), to_string(shape), shape.volume());
    if (!is_device_tensor(input_tensor)) {
        return call.returns(input_tensor.reshape(shape));
    }
    check_device_tensors("reshape", {&input_tensor});
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    const MemoryConfig& from = input_tensor.memory_config();
    const std::uint32_t old_height = dim_or_one(input_tensor.logical_shape(), -2);
    const std::uint32_t new_height = dim_or_one(shape, -2);
    const bool same_rows = dim_or_one(input_tensor.logical_shape(), -1) == dim_or_one(shape, -1) &&
                           memory.is_sharded() == from.is_sharded() && memory.is_l1() == from.is_l1();
    if (same_rows && (input_tensor.layout() == Layout::ROW_MAJOR || old_height == new_height ||
                      (old_height % kTileSide == 0 && new_height % kTileSide == 0))) {
        return call.returns(as_view(input_tensor, shape));
    }
    if (input_tensor.layout() == Layout::ROW_MAJOR) {
        return call.returns(reshape_rows_of(input_tensor, shape, memory));
    }
    return call.returns(reshape_tiles(
        input_tensor, shape, memory, memory_config.has_value(), skip_padding_fill ? std::nullopt : pad_value));
}

Tensor reshape(
    const Tensor& input_tensor, const Shape& logical_shape, const std::optional<MemoryConfig>& memory_config,
    const std::optional<PadValue>& pad_value, TileReshapeMapMode reshape_map_mode,
    const std::optional<CoreRangeSet>& sub_core_grid, bool skip_padding_fill) {
    return reshape(
        input_tensor, logical_shape, logical_shape, memory_config, pad_value, reshape_map_mode, sub_core_grid,
        skip_padding_fill);
}

Tensor reshape(
    const Tensor& input_tensor, ttsl::Span<const int32_t> shape_vector,
    const std::optional<MemoryConfig>& memory_config, const std::optional<PadValue>& pad_value,
    TileReshapeMapMode reshape_map_mode, const std::optional<CoreRangeSet>& sub_core_grid, bool skip_padding_fill) {
    return reshape(
        input_tensor, infer_shape(input_tensor, shape_vector), memory_config, pad_value, reshape_map_mode,
        sub_core_grid, skip_padding_fill);
}

Tensor view(const Tensor& input_tensor, const Shape& logical_shape) {
    const Shape& old_shape = input_tensor.logical_shape();
    if (old_shape == logical_shape) {
        return input_tensor;
    }
    ApiCall call("ttnn::view", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0).field("logical_shape", logical_shape);
    });
    TT_FATAL(
        logical_shape.volume() == input_tensor.logical_volume(),
        "Invalid view, logical volumes are changing from {} to {}", input_tensor.logical_volume(),
        logical_shape.volume());
    TT_FATAL(is_device_tensor(input_tensor), "View requires the tensor be stored on device, use reshape instead");
    TT_FATAL(
        dim_or_one(old_shape, -1) == dim_or_one(logical_shape, -1),
        "The last dimension can not change in view, attempting to change last dimension from {} to {}, use reshape "
        "instead",
        dim_or_one(old_shape, -1), dim_or_one(logical_shape, -1));
    const std::uint32_t old_height = dim_or_one(old_shape, -2);
    const std::uint32_t new_height = dim_or_one(logical_shape, -2);
    TT_FATAL(
        input_tensor.layout() == Layout::ROW_MAJOR || old_height == new_height ||
            (old_height % kTileSide == 0 && new_height % kTileSide == 0),
        "Invalid second last dims for TILED reshape, from {} to {}, use reshape instead", old_height, new_height);
    return call.returns(as_view(input_tensor, logical_shape));
}

Tensor view(const Tensor& input_tensor, ttsl::Span<const int32_t> shape_vector) {
    return view(input_tensor, infer_shape(input_tensor, shape_vector));
}

}  // namespace ttnn
