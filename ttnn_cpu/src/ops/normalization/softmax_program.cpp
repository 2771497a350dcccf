// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/work_split.hpp>

#include "core/data_type.hpp"
#include "ops/normalization/rules.hpp"
#include "ops/normalization/softmax_kernel.hpp"
#include "ops/normalization/softmax_operation.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using ttnn::Tensor;

namespace {

// Bytes of circular buffers of the attention kernels: rows of tiles for the input, the mask and what lies between the
// steps.
std::uint64_t attention_buffers(const SoftmaxOperation& op, const Tensor& input, const OptionalTensor& mask) {
    const std::uint64_t width = input.padded_shape()[-1] / kTile;
    const bool padded = input.padded_shape()[-1] != input.logical_shape()[-1];
    const std::uint64_t in_tile = tile_bytes(input.dtype());
    const std::uint64_t between = intermediate_tile_bytes(op.config);
    std::uint64_t block = op.config.fp32_dest_acc_en ? 4 : 8;
    if (width % block != 0) {
        const auto divisor = static_cast<std::uint64_t>(
            tt::tt_metal::find_max_divisor(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(block)));
        if (divide_up(width, block) == width / divisor) {
            block = divisor;
        }
    }
    const std::uint64_t row = divide_up(width, block) * block;
    const bool reads_row = op.numeric_stable && !mask && !padded;
    const std::uint64_t bf16 = tile_bytes(DataType::BFLOAT16);
    const std::uint64_t mask_tile = mask ? tile_bytes(mask->dtype()) : bf16;
    // The sum and its scaler, the scaler of the maximum, a tile of padding, and the maximum.
    const std::uint64_t singles = 2 * between + bf16 + mask_tile + (op.numeric_stable ? between : 0);
    const auto total = [&](std::uint64_t row_tiles, std::uint64_t in_tiles, std::uint64_t scaled_tiles,
                           std::uint64_t single_bytes) {
        std::uint64_t bytes = in_tiles * in_tile + row_tiles * between + block * 2 * in_tile + single_bytes;
        if (op.numeric_stable && !reads_row) {
            bytes += row_tiles * between;
        }
        if (mask) {
            bytes += scaled_tiles * between + bf16 + row_tiles * mask_tile;
        }
        return bytes;
    };
    // TTNN decides by a count of its own: five tiles for the single ones.
    const std::uint64_t in_tiles = reads_row ? row : 2 * block;
    if (static_cast<double>(total(row, in_tiles, row + block, 5 * between)) >
        0.9 * input.device()->l1_size_per_core()) {
        // Rows too long to keep: TTNN streams them in passes of 80 tiles.
        const std::uint64_t pass = 80 / block * block;
        return total(pass, pass, pass, singles + 3 * between);
    }
    return total(row, in_tiles, row + block, singles);
}

std::uint64_t sharded_buffers(const SoftmaxOperation& op, const OptionalTensor& mask) {
    const std::uint64_t between = intermediate_tile_bytes(op.config);
    const std::uint64_t row = op.sharded()->block_w;
    std::uint64_t bytes = 2 * tile_bytes(DataType::BFLOAT16) + row * between + between;
    if (mask) {
        const bool resident = op.is_causal_mask && mask->is_sharded() && !op.hw_dims();
        const std::uint64_t mask_tiles = resident ? 0 : op.is_causal_mask && !op.hw_dims() ? 2 * row : row;
        bytes += row * between + tile_bytes(DataType::BFLOAT16) + mask_tiles * tile_bytes(mask->dtype());
    }
    if (op.numeric_stable) {
        bytes += between + row * between;
    }
    return bytes;
}

// Bytes of the general kernels, which keep a line of tiles along the dimension where that takes less than 512 KB.
std::uint64_t general_buffers(const SoftmaxOperation& op, const Tensor& input) {
    const std::uint64_t between = intermediate_tile_bytes(op.config);
    const std::uint64_t in_tile = tile_bytes(input.dtype());
    const std::size_t rank = input.logical_shape().rank();
    const std::uint64_t scalers = 3 * std::max<std::uint64_t>(in_tile, tile_bytes(DataType::BFLOAT16)) + 3 * between;
    if (op.dim + 2 >= rank) {
        const std::uint64_t line = divide_up(input.logical_shape()[static_cast<std::int32_t>(op.dim)], kTile);
        const std::uint64_t bytes = line * 2 * (in_tile + between) + scalers;
        if (bytes <= 400 * 1024) {
            return bytes;
        }
    }
    return 4 * in_tile + 4 * between + scalers;
}

SoftmaxMask mask_of(const SoftmaxOperation& op, const Tensor& input, const OptionalTensor& mask) {
    SoftmaxMask result;
    if (!mask) {
        return result;
    }
    result.stored = stored_matrix(*mask);
    const auto& shape = input.padded_shape();
    result.rows_of_batch = std::size_t{shape[1]} * shape[2];
    result.input_height = shape[2];
    if (mask->is_sharded()) {
        result.kind = SoftmaxMask::Kind::EveryRow;
    } else if (mask->layout() == Layout::ROW_MAJOR) {
        result.kind = SoftmaxMask::Kind::Line;
        // A line of the width is stored as rows of 32.
        result.stored = {mask->dtype(), mask->padded_shape()[0], shape[-1]};
        result.height = 1;
    } else {
        result.kind = op.is_causal_mask ? SoftmaxMask::Kind::Block : SoftmaxMask::Kind::Line;
        result.height = mask->padded_shape()[2];
    }
    result.one_for_all = mask->padded_shape()[0] == 1;
    return result;
}

}  // namespace

Program softmax_program(
    const SoftmaxOperation& op, const Tensor& input, const OptionalTensor& mask, Numerics numerics) {
    Program program;
    program.math_fidelity = op.config.math_fidelity;
    const std::size_t rank = input.logical_shape().rank();
    const auto& shape = input.padded_shape();
    SoftmaxKernel kernel{
        .matrix = stored_matrix(input),
        .columns = input.logical_shape()[-1],
        .scale = op.scale,
        .mask = mask_of(op, input, mask),
        .numeric_stable = op.numeric_stable,
        .exp_approx = op.config.math_approx_mode,
        .reciprocal_approx = op.config.math_approx_mode,
        .float32 = op.config.fp32_dest_acc_en,
        .numerics = numerics};
    if (op.dim + 1 == rank) {
        const bool attention = rank == 4;
        kernel.exp_approx = attention && kernel.exp_approx;
        kernel.numeric_stable = !attention || kernel.numeric_stable;
        program.core_count =
            op.sharded() != nullptr ? input.shard_spec()->num_cores() : cores_for(input, kernel.matrix.rows / kTile);
        program.circular_buffer_bytes = op.sharded() != nullptr ? sharded_buffers(op, mask)
                                        : attention             ? attention_buffers(op, input, mask)
                                                                : general_buffers(op, input);
        program.kernel = [kernel](std::span<const BufferRef> in, std::span<const BufferRef> out) {
            softmax_over_rows(kernel, in[0].data, in.size() > 1 ? in[1].data : nullptr, out[0].data);
        };
        return program;
    }
    kernel.exp_approx = false;
    kernel.numeric_stable = true;
    SoftmaxLines lines;
    for (std::size_t i = 0; i < rank; ++i) {
        const auto place = static_cast<std::int32_t>(i);
        (i < op.dim ? lines.outer : i == op.dim ? lines.padded_length : lines.inner) *= shape[place];
    }
    lines.length = input.logical_shape()[static_cast<std::int32_t>(op.dim)];
    if (op.dim + 2 == rank) {
        lines.sum = kernels::SoftmaxSum::ColumnReduction;
    }
    program.core_count = cores_for(input, lines.outer * lines.inner / (op.dim + 2 == rank ? kTile : kTile * kTile));
    program.circular_buffer_bytes = general_buffers(op, input);
    program.kernel = [kernel, lines](std::span<const BufferRef> in, std::span<const BufferRef> out) {
        softmax_over_lines(kernel, lines, in[0].data, out[0].data);
    };
    return program;
}

}  // namespace ttnn_cpu
