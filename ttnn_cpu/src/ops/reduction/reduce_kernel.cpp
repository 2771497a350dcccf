// SPDX-License-Identifier: Apache-2.0
#include "ops/reduction/reduce_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/data_type.hpp"
#include "kernels/parallel.hpp"
#include "kernels/reduce.hpp"
#include "kernels/wormhole/reduce_sums.hpp"
#include "ops/fidelity_of.hpp"

namespace ttnn_cpu {

using kernels::ReduceFunction;
using kernels::ReduceSpec;
using kernels::StoredMatrix;
using tt::tt_metal::DataType;
using tt::tt_metal::MathFidelity;

namespace {

constexpr std::size_t kRows = 32;
constexpr std::size_t kColumns = 64;

ReduceSpec spec_of(const ReduceKernel& kernel) {
    return {
        .function = kernel.math == ReduceMath::Max   ? ReduceFunction::Max
                    : kernel.math == ReduceMath::Min ? ReduceFunction::Min
                                                     : ReduceFunction::Sum,
        .scalar = kernel.scalar,
        .fidelity = fidelity_of(kernel.fidelity),
        .dest = kernel.wide_dest ? kernels::wormhole::DestWidth::Bits32 : kernels::wormhole::DestWidth::Bits16,
        .vector_unit = kernel.vector_unit};
}

bool is_spread(const ReduceKernel& kernel) { return kernel.math == ReduceMath::Std || kernel.math == ReduceMath::Var; }

// Standard deviation or variance of values `stride` apart.
float spread(const ReduceKernel& kernel, const float* values, std::size_t n, std::size_t stride) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
        sum += values[i * stride];
    }
    const double mean = sum / static_cast<double>(n);
    double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double d = values[i * stride] - mean;
        squares += d * d;
    }
    const double variance = squares / static_cast<double>(kernel.correction ? n - 1 : n);
    return static_cast<float>(kernel.math == ReduceMath::Std ? std::sqrt(variance) : variance) * kernel.scalar;
}

// A block [rows, columns] of the input: where it lies, when it is stored as T, else decoded into scratch.
template <typename T>
struct Block {
    const T* data;
    std::size_t stride;
};

Block<std::uint16_t> block_bf16(
    const StoredMatrix& matrix, const std::byte* data, std::size_t first, std::size_t rows, std::size_t columns,
    std::vector<std::uint16_t>& scratch) {
    if (matrix.dtype == DataType::BFLOAT16) {
        return {reinterpret_cast<const std::uint16_t*>(data) + first, matrix.cols};
    }
    scratch.resize(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        matrix.load_bf16(data, first + row * matrix.cols, columns, &scratch[row * columns]);
    }
    return {scratch.data(), columns};
}

Block<float> block_f32(
    const StoredMatrix& matrix, const std::byte* data, std::size_t first, std::size_t rows, std::size_t columns,
    std::vector<float>& scratch) {
    if (matrix.dtype == DataType::FLOAT32) {
        return {reinterpret_cast<const float*>(data) + first, matrix.cols};
    }
    scratch.resize(rows * columns);
    for (std::size_t row = 0; row < rows; ++row) {
        matrix.load_f32(data, first + row * matrix.cols, columns, &scratch[row * columns]);
    }
    return {scratch.data(), columns};
}

}  // namespace

void reduce_width(const ReduceKernel& kernel, const std::byte* in, std::byte* out) {
    const ReduceSpec spec = spec_of(kernel);
    const std::size_t cols = kernel.in.cols;
    kernels::parallel_for(divide_up(kernel.in.rows, kRows), [&](std::size_t chunk) {
        thread_local std::vector<std::uint16_t> halves;
        thread_local std::vector<float> floats;
        const std::size_t first = chunk * kRows;
        const std::size_t rows = std::min(kRows, kernel.in.rows - first);
        float results[kRows];
        if (is_spread(kernel)) {
            const Block<float> block = block_f32(kernel.in, in, first * cols, rows, cols, floats);
            for (std::size_t row = 0; row < rows; ++row) {
                results[row] = spread(kernel, block.data + row * block.stride, kernel.width, 1);
            }
        } else if (kernel.in.fits_bf16()) {
            const auto block = block_bf16(kernel.in, in, first * cols, rows, cols, halves);
            kernels::reduce_over_columns_bf16(spec, block.data, block.stride, rows, kernel.width, results);
        } else {
            const auto block = block_f32(kernel.in, in, first * cols, rows, cols, floats);
            kernels::reduce_over_columns_f32(spec, block.data, block.stride, rows, kernel.width, results);
        }
        std::vector<float> line(rows * kernel.out.cols, 0.0F);
        for (std::size_t row = 0; row < rows; ++row) {
            line[row * kernel.out.cols] = results[row];
        }
        kernel.out.store_f32(out, first * kernel.out.cols, line.size(), line.data());
    });
}

void reduce_height(const ReduceKernel& kernel, const std::byte* in, std::byte* out) {
    const ReduceSpec spec = spec_of(kernel);
    const std::size_t cols = kernel.in.cols;
    const std::size_t blocks = divide_up(cols, kColumns);
    const std::size_t slices = kernel.in.rows / kernel.padded_height;
    kernels::parallel_for(slices * blocks, [&](std::size_t chunk) {
        thread_local std::vector<std::uint16_t> halves;
        thread_local std::vector<float> floats;
        const std::size_t slice = chunk / blocks;
        const std::size_t column = chunk % blocks * kColumns;
        const std::size_t columns = std::min(kColumns, cols - column);
        const std::size_t first = slice * kernel.padded_height * cols + column;
        float results[kColumns];
        if (is_spread(kernel)) {
            const Block<float> block = block_f32(kernel.in, in, first, kernel.height, columns, floats);
            for (std::size_t i = 0; i < columns; ++i) {
                results[i] = spread(kernel, block.data + i, kernel.height, block.stride);
            }
        } else if (kernel.in.fits_bf16()) {
            const auto block = block_bf16(kernel.in, in, first, kernel.height, columns, halves);
            kernels::reduce_over_rows_bf16(spec, block.data, block.stride, kernel.height, columns, results);
        } else {
            const auto block = block_f32(kernel.in, in, first, kernel.height, columns, floats);
            kernels::reduce_over_rows_f32(spec, block.data, block.stride, kernel.height, columns, results);
        }
        const float zeros[kColumns] = {};
        for (std::size_t row = 0; row < kernel.out_height; ++row) {
            kernel.out.store_f32(
                out, (slice * kernel.out_height + row) * cols + column, columns, row == 0 ? results : zeros);
        }
    });
}

void reduce_height_and_width(const ReduceKernel& kernel, const std::byte* in, std::byte* out) {
    const std::size_t cols = kernel.in.cols;
    kernels::parallel_for(kernel.in.rows / kernel.padded_height, [&](std::size_t slice) {
        std::vector<float> values(kernel.height * kernel.width);
        std::vector<float> row_values(cols);
        for (std::size_t row = 0; row < kernel.height; ++row) {
            kernel.in.load_f32(in, (slice * kernel.padded_height + row) * cols, cols, row_values.data());
            std::copy_n(row_values.data(), kernel.width, &values[row * kernel.width]);
        }
        std::vector<float> result(kernel.out_height * kernel.out.cols, 0.0F);
        result[0] = is_spread(kernel) ? spread(kernel, values.data(), values.size(), 1)
                                      : kernels::reduce_tile(
                                            spec_of(kernel), values.data(), kernel.width, kernel.height, kernel.width,
                                            kernel.in.dtype == DataType::FLOAT32);
        kernel.out.store_f32(out, slice * result.size(), result.size(), result.data());
    });
}

void sum_slices(const ReduceKernel& kernel, const std::byte* in, std::byte* out) {
    constexpr std::size_t kElements = 4096;
    const std::size_t blocks = divide_up(kernel.inner, kElements);
    kernels::parallel_for(kernel.outer * blocks, [&](std::size_t chunk) {
        const std::size_t outer = chunk / blocks;
        const std::size_t start = chunk % blocks * kElements;
        const std::size_t n = std::min(kElements, kernel.inner - start);
        float sums[kElements] = {};
        float values[kElements];
        for (std::size_t slice = 0; slice < kernel.slices; ++slice) {
            kernel.in.load_f32(in, (outer * kernel.slices + slice) * kernel.inner + start, n, values);
            kernels::wormhole::accumulate_tiles(values, n, spec_of(kernel).dest, sums);
        }
        kernel.out.store_f32(out, outer * kernel.inner + start, n, sums);
    });
}

}  // namespace ttnn_cpu
