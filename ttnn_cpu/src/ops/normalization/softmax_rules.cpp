// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/mesh_device.hpp>

#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "ops/normalization/rules.hpp"
#include "ops/normalization/softmax_operation.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::Shape;
using ttnn::Tensor;

namespace {

void check_sharded_mask_program(
    const SoftmaxOperation& op, const ttnn::SoftmaxShardedMultiCoreProgramConfig& config, const Tensor& input,
    const Tensor& mask) {
    TT_FATAL(
        input.is_sharded(), "{}: Input tensor must be sharded when using SoftmaxShardedMultiCoreProgramConfig",
        op.function);
    const auto& shape = input.padded_shape();
    const std::uint64_t height = input.physical_volume() / shape[-1];
    TT_FATAL(
        config.subblock_w > 0 && config.block_w % config.subblock_w == 0,
        "{}: block_w {} must be divisible by subblock_w {}.", op.function, config.block_w, config.subblock_w);
    TT_FATAL(
        config.block_w * kTile == shape[3],
        "{}: shard width must equal to input tensor shape[3]! block_w is {} tiles, the width {}", op.function,
        config.block_w, shape[3]);
    TT_FATAL(op.in_place(), "{}: Operation must be inplace for sharded multi-core program config", op.function);
    if (op.hw_dims()) {
        TT_FATAL(
            mask.layout() == Layout::TILE, "{}: Mask must have TILE layout for scale causal mask HW dims softmax",
            op.function);
        TT_FATAL(
            input.shard_spec()->orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR,
            "{}: Input must have ROW_MAJOR shard orientation for scale causal mask HW dims softmax", op.function);
        TT_FATAL(
            op.scale.has_value(), "{}: Scale value is required for scale causal mask HW dims softmax", op.function);
        return;
    }
    const std::size_t cores = config.compute_with_storage_grid_size.x * config.compute_with_storage_grid_size.y;
    TT_FATAL(
        config.block_h > 0 && height * shape[-1] / (config.block_w * config.block_h * kTile * kTile) == cores,
        "{}: number of shards must equal to number of cores. M = {}, K = {}, block_w = {}, block_h = {}, num_cores = "
        "{}",
        op.function, height, shape[-1], config.block_w, config.block_h, cores);
}

void check_mask(const SoftmaxOperation& op, const Tensor& input, const Tensor& mask) {
    check_device_tensors(op.function, {&input, &mask});
    const auto& shape = input.padded_shape();
    const auto& mask_shape = mask.padded_shape();
    TT_FATAL(
        mask_shape.rank() == shape.rank(), "{}: the mask has shape {}; its rank must be {}", op.function,
        to_string(mask_shape), shape.rank());
    if (mask.is_sharded()) {
        TT_FATAL(mask.layout() == Layout::TILE, "{}: Sharded mask must have TILE layout", op.function);
        TT_FATAL(
            mask_shape == shape, "{}: Sharded mask shape must match input tensor shape; they are {} and {}",
            op.function, to_string(mask_shape), to_string(shape));
        return;
    }
    if (mask.layout() == Layout::ROW_MAJOR) {
        TT_FATAL(
            mask_shape == Shape({mask_shape[0], 1, shape[-1] / kTile, kTile}),
            "{}: Non-sharded mask shape must match expected shape [batch, 1, {}, {}], it is {}", op.function,
            shape[-1] / kTile, kTile, to_string(mask_shape));
    }
    for (std::int32_t i = 1; i + 2 < static_cast<std::int32_t>(shape.rank()); ++i) {
        TT_FATAL(
            mask_shape[i] == 1, "{}: Non-sharded mask intermediate dimensions must be 1, the mask's shape is {}",
            op.function, to_string(mask_shape));
    }
    if (const auto* config = op.sharded()) {
        check_sharded_mask_program(op, *config, input, mask);
        return;
    }
    TT_FATAL(
        shape[0] == mask_shape[0], "{}: Input and mask batch sizes must match, got {} for input and {} for mask",
        op.function, to_string(shape), to_string(mask_shape));
    TT_FATAL(
        !op.hw_dims(), "{}: Scale causal mask HW dims softmax not supported in default program config", op.function);
}

// What the card would read past the end of: TTNN does not check it.
void check_mask_size(const SoftmaxOperation& op, const Tensor& input, const Tensor& mask) {
    const bool rows = mask.layout() == Layout::TILE;
    TT_FATAL(
        !rows || mask.padded_shape()[-1] == input.padded_shape()[-1],
        "{}: Input and mask inner dimensions must match, got input: {} vs mask: {}", op.function,
        input.padded_shape()[-1], mask.padded_shape()[-1]);
    TT_FATAL(
        !op.is_causal_mask || (rows && input.padded_shape()[-2] % mask.padded_shape()[-2] == 0),
        "{}: a causal mask in TILE layout has the height of the input, or one that divides it; got shapes {} and {}",
        op.function, to_string(mask.padded_shape()), to_string(input.padded_shape()));
    TT_FATAL(
        mask.is_sharded() || op.hw_dims() || mask.padded_shape()[0] == input.padded_shape()[0],
        "{}: Input and mask batch sizes must match, got input: {} vs mask: {}", op.function, input.padded_shape()[0],
        mask.padded_shape()[0]);
    TT_FATAL(
        tt::tt_metal::is_floating_point(mask.dtype()), "{}: the mask is {}; it must be a floating-point type",
        op.function, to_string(mask.dtype()));
}

}  // namespace

void check_softmax(const SoftmaxOperation& op, const Tensor& input, const OptionalTensor& mask) {
    check_device_tensors(op.function, {&input});
    TT_FATAL(
        input.layout() == Layout::TILE, "{}: Inputs to softmax must be tilized, the layout is {}", op.function,
        to_string(input.layout()));
    TT_FATAL(
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::BFLOAT16 ||
            input.dtype() == DataType::BFLOAT8_B,
        "{}: Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: {}", op.function, to_string(input.dtype()));
    if (mask) {
        check_mask(op, input, *mask);
        check_mask_size(op, input, *mask);
    } else {
        TT_FATAL(!op.scale, "{}: Scale value must not be set when mask is not present", op.function);
        TT_FATAL(
            !op.is_causal_mask,
            "{}: Causal-mask softmax requires an attention mask (is_causal_mask=true with no mask is unsupported).",
            op.function);
    }
    if (const auto* config = op.sharded()) {
        TT_FATAL(
            op.memory.shard_spec().has_value(),
            "{}: output_mem_config must have a shard_spec when using SoftmaxShardedMultiCoreProgramConfig",
            op.function);
        const auto& shard = op.memory.shard_spec()->shape;
        TT_FATAL(
            config->block_h == shard[0] / kTile,
            "{}: block_h ({}) must match the shard height in tiles ({}). Shard shape is [{}, {}] with tile height {}.",
            op.function, config->block_h, shard[0] / kTile, shard[0], shard[1], kTile);
        TT_FATAL(
            config->block_w == shard[1] / kTile,
            "{}: block_w ({}) must match the shard width in tiles ({}). Shard shape is [{}, {}] with tile width {}.",
            op.function, config->block_w, shard[1] / kTile, shard[0], shard[1], kTile);
        TT_FATAL(
            input.is_sharded() && config->block_w * kTile == input.padded_shape()[-1],
            "{}: with SoftmaxShardedMultiCoreProgramConfig the input must be sharded into whole rows; block_w is {} "
            "tiles, the "
            "width {}",
            op.function, config->block_w, input.padded_shape()[-1]);
        check_sharded_input(op.function, input, config->compute_with_storage_grid_size);
    }
}

}  // namespace ttnn_cpu
