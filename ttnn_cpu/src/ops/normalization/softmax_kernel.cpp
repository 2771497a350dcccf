// SPDX-License-Identifier: Apache-2.0
#include "ops/normalization/softmax_kernel.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/data_type.hpp"
#include "kernels/formats.hpp"
#include "kernels/parallel.hpp"
#include "kernels/sfpu.hpp"
#include "kernels/simd.hpp"
#include "kernels/softmax.hpp"

namespace ttnn_cpu {

using kernels::StoredMatrix;
using tt::tt_metal::DataType;

namespace {

// Rows of a chunk: a row of tiles, which never crosses from one slice into the next.
constexpr std::size_t kRows = 32;

void softmax_rows(const SoftmaxKernel& kernel, std::size_t columns, const kernels::SoftmaxRows& rows) {
    const kernels::SoftmaxSpec spec{
        .columns = columns,
        .numeric_stable = kernel.numeric_stable,
        .exp_approx = kernel.exp_approx,
        .reciprocal_approx = kernel.reciprocal_approx,
        .scale = kernel.scale};
    kernel.numerics == Numerics::Wormhole ? kernels::softmax_rows(spec, rows) : kernels::softmax_rows_fast(spec, rows);
}

void load_bf16(
    const StoredMatrix& matrix, const std::byte* data, std::size_t first, std::size_t n, std::uint16_t* out) {
    if (matrix.fits_bf16()) {
        matrix.load_bf16(data, first, n, out);
        return;
    }
    const auto* values = reinterpret_cast<const float*>(data) + first;
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = kernels::bf16_truncate(values[i]);
    }
}

// The mask rows of a chunk and the distance between them; rows that are stored as bfloat16 are used where they lie.
struct MaskRows {
    const std::uint16_t* rows = nullptr;
    std::size_t stride = 0;
};

MaskRows mask_rows(
    const SoftmaxMask& mask, const std::byte* data, std::size_t row, std::size_t rows,
    std::vector<std::uint16_t>& scratch) {
    if (mask.kind == SoftmaxMask::Kind::None) {
        return {};
    }
    const std::size_t first = mask.row_for(row) * mask.stored.cols;
    const bool line = mask.kind == SoftmaxMask::Kind::Line;
    const std::size_t stride = line ? 0 : mask.stored.cols;
    if (mask.stored.dtype == DataType::BFLOAT16) {
        return {reinterpret_cast<const std::uint16_t*>(data) + first, stride};
    }
    scratch.resize(mask.stored.cols * (line ? 1 : rows));
    load_bf16(mask.stored, data, first, scratch.size(), scratch.data());
    return {scratch.data(), stride};
}

TTNN_CPU_SIMD_CLONES void scale_and_add(float* x, std::size_t n, float scale, const float* mask) {
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = x[i] * scale + mask[i];
    }
}

TTNN_CPU_SIMD_CLONES void multiply(float* x, std::size_t n, float factor) {
    for (std::size_t i = 0; i < n; ++i) {
        x[i] *= factor;
    }
}

// Eight partial sums, so that the order of additions is fixed and still wide.
TTNN_CPU_SIMD_CLONES float sum_of(const float* x, std::size_t n) {
    float partial[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        for (std::size_t lane = 0; lane < 8; ++lane) {
            partial[lane] += x[i + lane];
        }
    }
    for (; i < n; ++i) {
        partial[i % 8] += x[i];
    }
    return ((partial[0] + partial[1]) + (partial[2] + partial[3])) +
           ((partial[4] + partial[5]) + (partial[6] + partial[7]));
}

// One row with a float32 destination and float32 between the steps.
void softmax_row_f32(const SoftmaxKernel& kernel, const float* mask, std::size_t columns, float* x) {
    if (mask != nullptr) {
        scale_and_add(x, columns, kernel.scale.value_or(1.0F), mask);
    }
    if (kernel.numeric_stable) {
        const float largest = *std::max_element(x, x + columns);
        for (std::size_t i = 0; i < columns; ++i) {
            x[i] -= largest;
        }
    }
    const kernels::UnaryOp exponential{
        kernel.exp_approx ? kernels::UnaryFunction::ExpApprox : kernels::UnaryFunction::Exp};
    kernels::apply_unary_f32(std::span(&exponential, 1), x, columns, x);
    multiply(x, columns, 1.0F / sum_of(x, columns));
}

void rows_f32(
    const SoftmaxKernel& kernel, std::size_t first_row, std::size_t rows, const std::byte* in, const std::byte* mask,
    std::byte* out) {
    const std::size_t cols = kernel.matrix.cols;
    std::vector<float> x(cols);
    std::vector<float> mask_row(kernel.mask.kind == SoftmaxMask::Kind::None ? 0 : cols);
    for (std::size_t row = first_row; row < first_row + rows; ++row) {
        kernel.matrix.load_f32(in, row * cols, cols, x.data());
        if (!mask_row.empty()) {
            kernel.mask.stored.load_f32(mask, kernel.mask.row_for(row) * cols, cols, mask_row.data());
        }
        softmax_row_f32(kernel, mask_row.empty() ? nullptr : mask_row.data(), kernel.columns, x.data());
        std::fill(x.begin() + static_cast<std::ptrdiff_t>(kernel.columns), x.end(), 0.0F);
        kernel.matrix.store_f32(out, row * cols, cols, x.data());
    }
}

void rows_bf16(
    const SoftmaxKernel& kernel, std::size_t first_row, std::size_t rows, const std::byte* in, const std::byte* mask,
    std::byte* out) {
    thread_local std::vector<std::uint16_t> scratch;
    thread_local std::vector<std::uint16_t> mask_scratch;
    const std::size_t cols = kernel.matrix.cols;
    const std::size_t first = first_row * cols;
    const bool direct = kernel.matrix.dtype == DataType::BFLOAT16;
    kernels::SoftmaxRows data{.in_stride = cols, .out_stride = cols, .rows = rows};
    if (direct) {
        data.in = reinterpret_cast<const std::uint16_t*>(in) + first;
        data.out = reinterpret_cast<std::uint16_t*>(out) + first;
    } else {
        scratch.resize(rows * cols);
        load_bf16(kernel.matrix, in, first, rows * cols, scratch.data());
        data.in = scratch.data();
        data.out = scratch.data();
    }
    const MaskRows added = mask_rows(kernel.mask, mask, first_row, rows, mask_scratch);
    data.mask = added.rows;
    data.mask_stride = added.stride;
    softmax_rows(kernel, kernel.columns, data);
    for (std::size_t row = 0; row < rows && kernel.columns < cols; ++row) {
        std::fill_n(data.out + row * cols + kernel.columns, cols - kernel.columns, std::uint16_t{0});
    }
    if (!direct) {
        kernel.matrix.store_bf16(out, first, rows * cols, scratch.data());
    }
}

// A block of kRows lines, turned so that each is a row, computed, and turned back.
template <typename T, typename Compute>
void turned(const SoftmaxLines& lines, std::size_t width, T* block, const Compute& compute) {
    thread_local std::vector<T> rows;
    rows.resize(width * lines.length);
    for (std::size_t d = 0; d < lines.length; ++d) {
        for (std::size_t i = 0; i < width; ++i) {
            rows[i * lines.length + d] = block[d * width + i];
        }
    }
    compute(rows.data());
    for (std::size_t d = 0; d < lines.length; ++d) {
        for (std::size_t i = 0; i < width; ++i) {
            block[d * width + i] = rows[i * lines.length + d];
        }
    }
    std::fill(block + lines.length * width, block + lines.padded_length * width, T{0});
}

}  // namespace

std::size_t SoftmaxMask::row_for(std::size_t input_row) const {
    if (kind == Kind::EveryRow) {
        return input_row;
    }
    const std::size_t first = one_for_all ? 0 : input_row / rows_of_batch * height;
    return kind == Kind::Line ? first : first + input_row % input_height % height;
}

void softmax_over_rows(const SoftmaxKernel& kernel, const std::byte* in, const std::byte* mask, std::byte* out) {
    const std::size_t total = kernel.matrix.rows;
    kernels::parallel_for(divide_up(total, kRows), [&](std::size_t chunk) {
        const std::size_t first = chunk * kRows;
        const std::size_t rows = std::min(kRows, total - first);
        kernel.float32 ? rows_f32(kernel, first, rows, in, mask, out) : rows_bf16(kernel, first, rows, in, mask, out);
    });
}

void softmax_over_lines(const SoftmaxKernel& kernel, const SoftmaxLines& lines, const std::byte* in, std::byte* out) {
    constexpr std::size_t kWidth = 32;
    const std::size_t blocks = lines.inner / kWidth;
    kernels::parallel_for(lines.outer * blocks, [&](std::size_t chunk) {
        const std::size_t start = chunk / blocks * lines.padded_length * lines.inner + chunk % blocks * kWidth;
        const auto each = [&](const auto& act, auto* block) {
            for (std::size_t d = 0; d < lines.padded_length; ++d) {
                act(start + d * lines.inner, block + d * kWidth);
            }
        };
        if (kernel.float32) {
            std::vector<float> block(lines.padded_length * kWidth);
            each([&](std::size_t at, float* x) { kernel.matrix.load_f32(in, at, kWidth, x); }, block.data());
            turned(lines, kWidth, block.data(), [&](float* rows) {
                for (std::size_t i = 0; i < kWidth; ++i) {
                    softmax_row_f32(kernel, nullptr, lines.length, rows + i * lines.length);
                }
            });
            each([&](std::size_t at, float* x) { kernel.matrix.store_f32(out, at, kWidth, x); }, block.data());
            return;
        }
        std::vector<std::uint16_t> block(lines.padded_length * kWidth);
        each([&](std::size_t at, std::uint16_t* x) { load_bf16(kernel.matrix, in, at, kWidth, x); }, block.data());
        if (kernel.numerics == Numerics::Wormhole) {
            kernels::softmax_lines(lines.sum, kernel.reciprocal_approx, lines.length, kWidth, block.data());
            const auto end = static_cast<std::ptrdiff_t>(lines.length * kWidth);
            std::fill(block.begin() + end, block.end(), std::uint16_t{0});
        } else {
            turned(lines, kWidth, block.data(), [&](std::uint16_t* rows) {
                softmax_rows(
                    kernel, lines.length,
                    {.in = rows, .in_stride = lines.length, .out = rows, .out_stride = lines.length, .rows = kWidth});
            });
        }
        each([&](std::size_t at, std::uint16_t* x) { kernel.matrix.store_bf16(out, at, kWidth, x); }, block.data());
    });
}

}  // namespace ttnn_cpu
