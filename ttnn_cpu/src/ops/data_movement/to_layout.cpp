// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/core/to_layout/to_layout_op.hpp>

#include <bit>
#include <limits>

#include <ttnn/operations/data_movement/pad/pad.hpp>
#include <ttnn/operations/data_movement/tilize/tilize.hpp>
#include <ttnn/operations/data_movement/tilize_with_val_padding/tilize_with_val_padding.hpp>
#include <ttnn/operations/data_movement/untilize/untilize.hpp>
#include <ttnn/operations/data_movement/untilize_with_unpadding/untilize_with_unpadding.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/shard_shapes.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

Tensor to_rows(const Tensor& tensor, const std::optional<DataType>& dtype, const MemoryConfig& memory) {
    TT_FATAL(
        !dtype || *dtype == tensor.dtype() || (tensor.dtype() == DataType::BFLOAT8_B && *dtype == DataType::BFLOAT16),
        "to_layout: dtype cannot be different from tensor dtype when converting to ROW_MAJOR_LAYOUT on device ({} to "
        "{}; allowed "
        "exception: BFLOAT8_B -> BFLOAT16, which untilize handles natively)!",
        to_string(tensor.dtype()), to_string(*dtype));
    if (tensor.logical_shape() == tensor.padded_shape()) {
        return untilize(tensor, memory);
    }
    Shape end = tensor.logical_shape();
    for (std::size_t i = 0; i < end.rank(); ++i) {
        --end[static_cast<std::int32_t>(i)];
    }
    return untilize_with_unpadding(tensor, end, memory);
}

PadValue pad_for(DataType dtype, float value) {
    if (is_floating_point(dtype)) {
        return value;
    }
    if (dtype == DataType::INT32) {
        TT_FATAL(
            value >= static_cast<float>(std::numeric_limits<std::int32_t>::min()) &&
                value < static_cast<float>(std::numeric_limits<std::int32_t>::max()),
            "to_layout: Pad value must be in the range of INT32 type");
        return std::bit_cast<std::uint32_t>(static_cast<std::int32_t>(value));
    }
    TT_FATAL(
        value >= 0.0F && value < static_cast<float>(std::numeric_limits<std::uint32_t>::max()),
        "to_layout: Pad value must be in the range of UINT32 type");
    return static_cast<std::uint32_t>(value);
}

Tensor to_tiles(
    const Tensor& tensor, const std::optional<DataType>& dtype, const MemoryConfig& memory, float pad_value) {
    TT_FATAL(
        tensor.padded_shape().rank() >= 2 || !tensor.is_sharded(),
        "ttnn::to_layout: Cannot convert a sharded device tensor with rank {} to TILE_LAYOUT. Move to interleaved "
        "first, then "
        "tilize.",
        tensor.padded_shape().rank());
    Shape padded = tensor.logical_shape().to_rank(std::max<std::size_t>(2, tensor.logical_shape().rank()));
    padded[-2] = static_cast<std::uint32_t>(round_up(padded[-2], kTileSide));
    padded[-1] = static_cast<std::uint32_t>(round_up(padded[-1], kTileSide));
    const Shape& stored = tensor.padded_shape();
    if (stored.rank() >= 2 && stored[-1] % kTileSide == 0 && stored[-2] % kTileSide == 0) {
        if (tensor.is_sharded()) {
            const auto& shard = tensor.shard_spec()->shape;
            TT_FATAL(
                shard[0] % kTileSide == 0 && shard[1] % kTileSide == 0,
                "ttnn::to_layout: Sharded tensor must have shard shape that is a multiple of TILE_SIZE! (is {}x{})",
                shard[0], shard[1]);
        }
        return tilize(tensor, memory, dtype);
    }
    if (tensor.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED) {
        // Height shards are padded first, and the padding becomes part of the shape.
        const Shape& shape = tensor.logical_shape();
        const ttsl::SmallVector<std::array<std::uint32_t, 2>> padding{
            {0, padded[-2] - shape[-2]}, {0, padded[-1] - shape[-1]}};
        return tilize(pad(tensor, padding, pad_value), memory, dtype);
    }
    return tilize_with_val_padding(tensor, padded, pad_for(tensor.dtype(), pad_value), memory, dtype);
}

template <typename T>
Tensor repacked(const Tensor& tensor, const TensorSpec& spec, float pad_value) {
    return Tensor::from_vector(tensor.to_vector<T>(), spec, nullptr, std::nullopt, static_cast<T>(pad_value));
}

Tensor on_host(const Tensor& tensor, Layout layout, float pad_value) {
    const TensorSpec spec(
        tensor.logical_shape(), TensorLayout(tensor.dtype(), PageConfig(layout), tensor.memory_config()));
    switch (tensor.dtype()) {
        case DataType::UINT32:
            return repacked<std::uint32_t>(tensor, spec, pad_value);
        case DataType::INT32:
            return repacked<std::int32_t>(tensor, spec, pad_value);
        case DataType::UINT16:
            return repacked<std::uint16_t>(tensor, spec, pad_value);
        case DataType::UINT8:
            return repacked<std::uint8_t>(tensor, spec, pad_value);
        default:
            return repacked<float>(tensor, spec, pad_value);
    }
}

}  // namespace

Tensor to_layout(
    const Tensor& tensor_arg, Layout layout, const std::optional<DataType>& dtype,
    const std::optional<MemoryConfig>& memory_config, const std::optional<CoreRangeSet>& sub_core_grids,
    float pad_value) {
    if (tensor_arg.layout() == layout) {
        return tensor_arg;
    }
    TT_FATAL(
        layout != Layout::INVALID, "ttnn::to_layout: Unsupported layout conversion from {} to {}!",
        to_string(tensor_arg.layout()), to_string(layout));
    if (!is_device_tensor(tensor_arg)) {
        TT_FATAL(!dtype, "to_layout: dtype cannot be specified when converting layout on host!");
        return on_host(tensor_arg, layout, pad_value);
    }
    ApiCall call("ttnn::to_layout", {&tensor_arg}, [&](JsonText& json) {
        json.tensor("tensor_arg", 0)
            .field("layout", layout)
            .field("dtype", dtype)
            .field("memory_config", memory_config)
            .field("sub_core_grids", sub_core_grids)
            .field("pad_value", pad_value);
    });
    check_device_tensors("to_layout", {&tensor_arg});
    TT_FATAL(!sub_core_grids, "to_layout: sub_core_grids is not supported by the embedded provider");
    const MemoryConfig memory = memory_config.value_or(tensor_arg.memory_config());
    // Its shards must be whole tiles, to rows as well: tt-metal counts the output's tiles by it before it looks which way.
    TT_FATAL(
        !memory.shard_spec() || tile_sized(*memory.shard_spec()),
        "ttnn::to_layout: Physical shard shape ({}, {}) must be tile (32, 32) sized!", memory.shard_spec()->shape[0],
        memory.shard_spec()->shape[1]);
    return call.returns(
        layout == Layout::ROW_MAJOR ? to_rows(tensor_arg, dtype, memory)
                                    : to_tiles(tensor_arg, dtype, memory, pad_value));
}

}  // namespace ttnn
