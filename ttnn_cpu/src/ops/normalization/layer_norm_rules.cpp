// SPDX-License-Identifier: Apache-2.0
#include <tt-metalium/mesh_device.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "ops/normalization/layer_norm_operation.hpp"
#include "ops/normalization/rules.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::TensorMemoryLayout;
using ttnn::Tensor;

namespace {

void check_residual(const LayerNormOperation& op, const Tensor& input, const Tensor& residual) {
    check_device_tensors(op.function, {&input, &residual});
    TT_FATAL(
        residual.layout() == Layout::TILE, "{}: Residual tensor must have TILE layout, got: {}", op.function,
        to_string(residual.layout()));
    TT_FATAL(
        input.logical_shape() == residual.logical_shape() && input.padded_shape() == residual.padded_shape(),
        "{}: Input and residual logical and padded shapes must match, got input: logical={} padded={} vs residual: "
        "logical={} padded={}",
        op.function, to_string(input.logical_shape()), to_string(input.padded_shape()),
        to_string(residual.logical_shape()), to_string(residual.padded_shape()));
    TT_FATAL(
        tt::tt_metal::is_floating_point(residual.dtype()), "{}: the residual is {}; it must be a floating-point type",
        op.function, to_string(residual.dtype()));
    if (input.is_sharded()) {
        TT_FATAL(residual.is_sharded(), "{}: residual tensor b should be sharded if input a is sharded", op.function);
        TT_FATAL(
            residual.memory_config() == input.memory_config(),
            "{}: Both a and b should have the same memory config; they are {} and {}", op.function,
            to_string(input.memory_config()), to_string(residual.memory_config()));
    }
}

// Weight or bias; `name` is Gamma or Beta as TTNN calls them.
void check_row(const LayerNormOperation& op, std::string_view name, const Tensor& input, const Tensor& row) {
    check_device_tensors(op.function, {&input, &row});
    if (row.layout() == Layout::TILE) {
        TT_FATAL(
            input.padded_shape()[-1] == row.padded_shape()[-1] && row.logical_shape()[-1] >= input.logical_shape()[-1],
            "{}: {} padded width must match the input's and its logical width must be >= the input's. Got input: "
            "logical[-1]={} padded[-1]={} vs {}: logical[-1]={} padded[-1]={}",
            op.function, name, input.logical_shape()[-1], input.padded_shape()[-1], name, row.logical_shape()[-1],
            row.padded_shape()[-1]);
        TT_FATAL(
            row.padded_shape()[-2] == kTile, "{}: {} tensor height must equal tile height ({}), got: {}", op.function,
            name, kTile, row.padded_shape()[-2]);
        TT_FATAL(
            tt::tt_metal::is_floating_point(row.dtype()), "{}: {} is {}; it must be a floating-point type", op.function,
            name, to_string(row.dtype()));
        return;
    }
    TT_FATAL(
        row.padded_shape()[-1] == kTile && row.physical_volume() / kTile == input.padded_shape()[-1] / kTile,
        "{}: {}'s last padded dim needs to equal tile width {} and its volume needs to align with the last padded dim "
        "of the "
        "input. Its padded shape is {}, its volume {}, the input's padded shape {}",
        op.function, name, kTile, to_string(row.padded_shape()), row.physical_volume(),
        to_string(input.padded_shape()));
    TT_FATAL(
        row.dtype() == DataType::FLOAT32 || row.dtype() == DataType::BFLOAT16,
        "{}: {} tensor must be FLOAT32 or BFLOAT16, got: {}", op.function, name, to_string(row.dtype()));
}

void check_blocks(
    const LayerNormOperation& op, const ttnn::prim::LayerNormShardedMultiCoreProgramConfig& config,
    const Tensor& input) {
    const auto& shard = *input.shard_spec();
    const std::uint64_t width = input.padded_shape()[-1];
    const std::uint64_t height = input.physical_volume() / width;
    const std::uint64_t width_tiles = width / kTile;
    const std::uint64_t height_tiles = height / kTile;
    const auto box = shard.grid.bounding_box().grid_size();
    TT_FATAL(
        config.subblock_w > 0 && config.block_w % config.subblock_w == 0,
        "{}: block_w ({}) must be divisible by subblock_w ({}).", op.function, config.block_w, config.subblock_w);
    TT_FATAL(
        config.subblock_w <= ttnn::get_dest_reg_count(op.config),
        "{}: subblock_w ({}) must be at most the number of tiles in the destination register ({})", op.function,
        config.subblock_w, ttnn::get_dest_reg_count(op.config));
    const auto expect = [&](std::string_view what, std::uint64_t value, std::string_view rule, std::uint64_t wanted) {
        TT_FATAL(value == wanted, "{}: {} ({}) must equal {} ({})", op.function, what, value, rule, wanted);
    };
    if (height == config.block_h * kTile) {
        expect("block_w", config.block_w, "K (in tiles) / num_cores", divide_up(width_tiles, shard.grid.num_cores()));
    } else {
        const bool by_rows = shard.orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR;
        expect(
            "block_w", config.block_w, by_rows ? "K (in tiles) / num_cores_c" : "K (in tiles) / num_cores_r",
            divide_up(width_tiles, by_rows ? box.x : box.y));
        expect(
            "block_h", config.block_h, by_rows ? "ceil(Mt / num_cores_r)" : "ceil(Mt / num_cores_c)",
            divide_up(height_tiles, by_rows ? box.y : box.x));
    }
    expect("Block height * tile_height", config.block_h * kTile, "shard shape[0]", shard.shape[0]);
    expect("Block width * tile_width", config.block_w * kTile, "shard shape[1]", shard.shape[1]);
}

void check_sharded(const LayerNormOperation& op, const Tensor& input) {
    const auto* config = op.sharded();
    TT_FATAL(
        config != nullptr,
        "{}: a sharded input needs LayerNormShardedMultiCoreProgramConfig, LayerNormDefaultProgramConfig was given",
        op.function);
    TT_FATAL(
        input.memory_config().memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED,
        "{}: Height sharded inputs are not supported.", op.function);
    TT_FATAL(
        op.memory.is_sharded() && op.memory.memory_layout() != TensorMemoryLayout::HEIGHT_SHARDED,
        "{}: Sharded inputs require sharded outputs.", op.function);
    TT_FATAL(
        config->block_w >= 1, "{}: Sharded layernorm requires block_w >= 1 (per-core width in tiles)", op.function);
    check_sharded_input(op.function, input, config->compute_with_storage_grid_size);
    TT_FATAL(
        input.memory_config().buffer_type() == op.memory.buffer_type(),
        "{}: Input and output buffer types must match, got input: {} vs output: {}", op.function,
        to_string(input.memory_config().buffer_type()), to_string(op.memory.buffer_type()));
    TT_FATAL(
        input.memory_config().memory_layout() == op.memory.memory_layout(),
        "{}: Input and output memory layouts must match, got input: {} vs output: {}", op.function,
        to_string(input.memory_config().memory_layout()), to_string(op.memory.memory_layout()));
    check_blocks(op, *config, input);
}

}  // namespace

void check_layer_norm(const LayerNormOperation& op, const LayerNormTensors& tensors) {
    const Tensor& input = tensors.input;
    TT_FATAL(
        input.layout() == Layout::TILE || !input.is_sharded(),
        "{}: Input tensor must have TILE layout (ROW_MAJOR is only supported for non-sharded tensors), got: {}",
        op.function, to_string(input.layout()));
    TT_FATAL(
        input.layout() == Layout::TILE || input.logical_shape()[-1] % kTile == 0,
        "{}: ROW_MAJOR input requires W ({}) to be a multiple of tile width ({})", op.function,
        input.logical_shape()[-1], kTile);
    TT_FATAL(
        input.layout() != Layout::ROW_MAJOR || input.dtype() != DataType::FLOAT32 || op.config.fp32_dest_acc_en,
        "{}: ROW_MAJOR FLOAT32 input requires fp32_dest_acc_en=True in the compute kernel config", op.function);
    TT_FATAL(
        input.dtype() == DataType::FLOAT32 || input.dtype() == DataType::BFLOAT16 ||
            input.dtype() == DataType::BFLOAT8_B,
        "{}: Input tensor must be FLOAT32, BFLOAT16, or BFLOAT8_B, got: {}", op.function, to_string(input.dtype()));
    if (tensors.residual) {
        check_residual(op, input, *tensors.residual);
    }
    if (tensors.weight) {
        check_row(op, "Gamma", input, *tensors.weight);
    }
    if (tensors.bias) {
        check_row(op, "Beta", input, *tensors.bias);
    }
    TT_FATAL(
        !tensors.weight || !tensors.bias || tensors.weight->layout() == tensors.bias->layout(),
        "{}: Gamma and beta must have the same layout!", op.function);
    if (input.is_sharded()) {
        check_sharded(op, input);
    } else {
        TT_FATAL(
            op.sharded() == nullptr,
            "{}: LayerNormShardedMultiCoreProgramConfig needs a sharded input, it is interleaved", op.function);
    }
    TT_FATAL(!op.welford() || !op.rms, "{}: Welford's algorithm is not supported for RMSNorm", op.function);
    TT_FATAL(!op.welford() || tensors.recip, "{}: Reciprocal tensor not provided for Welford layernorm", op.function);
}

}  // namespace ttnn_cpu
