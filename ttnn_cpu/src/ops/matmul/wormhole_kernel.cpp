// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "kernels/parallel.hpp"
#include "kernels/wormhole/matrix_engine.hpp"
#include "ops/fidelity_of.hpp"
#include "ops/matmul/matmul_program.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

using kernels::OperandMatrix;
using kernels::StoredFormat;
namespace wormhole = kernels::wormhole;

constexpr std::uint32_t kWhole = 0xFFFFFFFFU;

// An operand as the engine reads it: [slices * rows, cols], row-major.
struct Plain {
    std::vector<std::uint16_t> bf16;
    std::vector<float> float32;

    wormhole::MatrixView view(std::size_t stride) const {
        return {bf16.empty() ? nullptr : bf16.data(), float32.empty() ? nullptr : float32.data(), stride};
    }
};

template <typename T>
void transpose_slices(std::vector<T>& values, std::size_t slices, std::size_t rows, std::size_t cols) {
    std::vector<T> out(values.size());
    kernels::parallel_for(slices, [&](std::size_t slice) {
        kernels::transpose(values.data() + slice * rows * cols, rows, cols, out.data() + slice * rows * cols);
    });
    values = std::move(out);
}

// Stored slices of rows x cols; transposed: they become cols x rows.
void decode(
    const std::byte* data, StoredFormat format, std::size_t slices, std::size_t rows, std::size_t cols, bool transposed,
    Plain& out) {
    const OperandMatrix matrix{const_cast<std::byte*>(data), format, slices * rows, cols};
    if (format == StoredFormat::Float32) {
        out.float32.resize(slices * rows * cols);
        kernels::parallel_for(slices * rows, [&](std::size_t row) {
            kernels::decode_row(matrix, row, 0, cols, kWhole, out.float32.data() + row * cols);
        });
        if (transposed) {
            transpose_slices(out.float32, slices, rows, cols);
        }
        return;
    }
    out.bf16.resize(slices * rows * cols);
    kernels::parallel_for(
        slices * rows, [&](std::size_t row) { decode_row_bf16(matrix, row, 0, cols, out.bf16.data() + row * cols); });
    if (transposed) {
        transpose_slices(out.bf16, slices, rows, cols);
    }
}

// The readers zero what lies behind K in the last tile of in0.
template <typename T>
void clear_padding(std::vector<T>& in0, std::size_t k, std::size_t k_padded) {
    for (std::size_t row = 0; k < k_padded && row < in0.size() / k_padded; ++row) {
        std::fill(
            in0.begin() + static_cast<std::ptrdiff_t>(row * k_padded + k),
            in0.begin() + static_cast<std::ptrdiff_t>((row + 1) * k_padded), T{});
    }
}

// Tiles of in0 that the compute kernel transposed go through memory in in0's format: other values share an exponent now.
void repack(const ProgramSpec& spec, std::vector<std::uint16_t>& in0) {
    if (spec.in0_format != StoredFormat::Bfloat8B && spec.in0_format != StoredFormat::Bfloat4B) {
        return;
    }
    const auto format = spec.in0_format == StoredFormat::Bfloat8B ? wormhole::PartialsFormat::BFloat8B
                                                                  : wormhole::PartialsFormat::BFloat4B;
    kernels::parallel_for(in0.size() / spec.k_padded, [&](std::size_t row) {
        wormhole::round_trip_partials(format, in0.data() + row * spec.k_padded, spec.k_padded);
    });
}

wormhole::PartialsFormat partials_format(DataType dtype, bool float32_dest) {
    if (float32_dest) {
        return wormhole::PartialsFormat::Float32;
    }
    switch (dtype) {
        case DataType::BFLOAT8_B:
            return wormhole::PartialsFormat::BFloat8B;
        case DataType::BFLOAT4_B:
            return wormhole::PartialsFormat::BFloat4B;
        default:
            return wormhole::PartialsFormat::BFloat16;
    }
}

wormhole::MatmulSpec engine_spec(const ProgramSpec& spec) {
    const bool float32_dest = spec.compute.fp32_dest_acc_en;
    // Weights for all of a batch: its rows are one matrix.
    const bool fold = spec.one_in1 && !spec.bias_is_block;
    wormhole::MatmulSpec engine{
        .m = fold ? spec.batch * spec.m_padded : spec.m_padded,
        .k = spec.k_padded,
        .n = spec.n,
        .fidelity = fidelity_of(spec.compute.math_fidelity),
        .fp32_dest = float32_dest,
        .partials = spec.placement.packer_l1_acc ? wormhole::Partials::PackerL1Acc : wormhole::Partials::SpillReload,
        .partials_format = partials_format(spec.placement.partials_dtype, float32_dest),
        .k_block_tiles = spec.placement.k_block_tiles,
        .reload_keeps_float32 = spec.placement.reload_keeps_float32,
        .has_bias = spec.has_bias,
        .packer_relu = spec.packer_relu,
        .batch = fold ? 1 : spec.batch,
        .in0_batch_stride = spec.one_in0 ? 0 : spec.m_padded * spec.k_padded,
        .in1_batch_stride = spec.one_in1 ? 0 : spec.k_padded * spec.n,
        .out_batch_stride = spec.m_padded * spec.n};
    if (spec.activation && !float32_dest) {
        engine.activation_table = kernels::unary_table(*spec.activation).data();
    }
    return engine;
}

}  // namespace

Kernel wormhole_kernel(const ProgramSpec& spec) {
    return [spec, engine = engine_spec(spec)](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        Plain in0;
        Plain in1;
        Plain bias;
        const std::size_t slices0 = spec.one_in0 ? 1 : spec.batch;
        const std::size_t slices1 = spec.one_in1 ? 1 : spec.batch;
        if (spec.transpose0) {
            decode(inputs[0].data, spec.in0_format, slices0, spec.k_padded, spec.m_padded, true, in0);
            repack(spec, in0.bf16);
        } else {
            decode(inputs[0].data, spec.in0_format, slices0, spec.m_padded, spec.k_padded, false, in0);
        }
        clear_padding(in0.bf16, spec.k, spec.k_padded);
        clear_padding(in0.float32, spec.k, spec.k_padded);
        if (spec.transpose1) {
            decode(inputs[1].data, spec.in1_format, slices1, spec.n, spec.k_padded, true, in1);
        } else {
            decode(inputs[1].data, spec.in1_format, slices1, spec.k_padded, spec.n, false, in1);
        }
        if (spec.has_bias) {
            decode(inputs[2].data, spec.bias_format, 1, spec.bias_rows_padded, spec.n, false, bias);
        }
        const wormhole::MatmulOperands operands{
            in0.view(spec.k_padded), in1.view(spec.n), bias.view(spec.bias_is_block ? spec.n : 0)};
        const std::size_t rows = spec.batch * spec.m_padded;
        const std::size_t out_rows = spec.batch * spec.out_m_padded;
        const OperandMatrix out{outputs[0].data, spec.out_format, out_rows, spec.n};
        // Where a row of the output was computed.
        const auto place = [&](std::size_t row) {
            return (row / spec.out_m_padded * spec.m_padded + row % spec.out_m_padded) * spec.n;
        };
        if (!spec.compute.fp32_dest_acc_en) {
            std::vector<std::uint16_t> destination(rows * spec.n);
            wormhole::matmul(engine, operands, destination.data(), spec.n);
            kernels::parallel_for(
                out_rows, [&](std::size_t row) { encode_row(out, row, 0, spec.n, destination.data() + place(row)); });
            return;
        }
        std::vector<float> destination(rows * spec.n);
        wormhole::matmul(engine, operands, destination.data(), spec.n);
        kernels::parallel_for(out_rows, [&](std::size_t row) {
            float* const values = destination.data() + place(row);
            if (spec.activation) {
                kernels::apply_unary_f32(std::span(&*spec.activation, 1), values, spec.n, values);
            }
            encode_row(out, row, 0, spec.n, values);
        });
    };
}

}  // namespace ttnn_cpu::matmul_op
