// SPDX-License-Identifier: Apache-2.0
#include "ops/normalization/layer_norm_kernel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/data_type.hpp"
#include "kernels/layer_norm.hpp"
#include "kernels/parallel.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu {

using kernels::StoredMatrix;
using tt::tt_metal::DataType;

namespace {

// Rows of a chunk: enough to make the decoding of weight and bias cheap, few enough to share 384 rows evenly.
constexpr std::size_t kRows = 16;
constexpr std::size_t kLanes = 16;

bool bf16_only(const std::optional<StoredMatrix>& matrix) { return !matrix || matrix->fits_bf16(); }

// Values as bfloat16: where they lie when stored so, else decoded into scratch.
const std::uint16_t* as_bf16(
    const std::optional<StoredMatrix>& matrix, const std::byte* data, std::size_t first, std::size_t n,
    std::vector<std::uint16_t>& scratch) {
    if (!matrix) {
        return nullptr;
    }
    if (matrix->dtype == DataType::BFLOAT16) {
        return reinterpret_cast<const std::uint16_t*>(data) + first;
    }
    scratch.resize(n);
    matrix->load_bf16(data, first, n, scratch.data());
    return scratch.data();
}

kernels::LayerNormSpec spec_of(const LayerNormKernel& kernel) {
    return {
        .columns = kernel.columns,
        .epsilon = kernel.epsilon,
        .rms = kernel.rms,
        .shard_columns = kernel.shard_columns,
        .unit = kernel.unit,
        .approximate = kernel.approximate};
}

void rows_bf16(const LayerNormKernel& kernel, const LayerNormData& data, std::size_t first_row, std::size_t rows) {
    thread_local std::vector<std::uint16_t> input;
    thread_local std::vector<std::uint16_t> residual;
    thread_local std::vector<std::uint16_t> gamma;
    thread_local std::vector<std::uint16_t> beta;
    thread_local std::vector<float> result;
    const std::size_t cols = kernel.input.cols;
    const std::size_t first = first_row * cols;
    result.resize(rows * cols);
    const kernels::LayerNormSpec spec = spec_of(kernel);
    const kernels::LayerNormRows all{
        .in = as_bf16(kernel.input, data.input, first, rows * cols, input),
        .in_stride = cols,
        .residual = as_bf16(kernel.residual, data.residual, first, rows * cols, residual),
        .residual_stride = cols,
        .gamma = as_bf16(kernel.gamma, data.gamma, 0, cols, gamma),
        .beta = as_bf16(kernel.beta, data.beta, 0, cols, beta),
        .out = result.data(),
        .out_stride = cols,
        .rows = rows};
    kernel.numerics == Numerics::Wormhole ? kernels::wormhole::layer_norm_rows(spec, all)
                                          : kernels::layer_norm_rows(spec, all);
    for (std::size_t row = 0; row < rows && kernel.columns < cols; ++row) {
        std::fill_n(result.data() + row * cols + kernel.columns, cols - kernel.columns, 0.0F);
    }
    kernel.input.store_f32(data.out, first, rows * cols, result.data());
}

// Values in float32: decoded into scratch.
const float* as_f32(
    const std::optional<StoredMatrix>& matrix, const std::byte* data, std::size_t first, std::size_t n,
    std::vector<float>& scratch) {
    if (!matrix) {
        return nullptr;
    }
    scratch.resize(n);
    matrix->load_f32(data, first, n, scratch.data());
    return scratch.data();
}

void rows_f32_wormhole(
    const LayerNormKernel& kernel, const LayerNormData& data, std::size_t first_row, std::size_t rows) {
    std::vector<float> input;
    std::vector<float> residual;
    std::vector<float> gamma;
    std::vector<float> beta;
    const std::size_t cols = kernel.input.cols;
    const std::size_t first = first_row * cols;
    std::vector<float> result(rows * cols, 0.0F);
    kernels::wormhole::layer_norm_float_rows(
        spec_of(kernel), kernels::LayerNormFloatRows{
                             .in = as_f32(kernel.input, data.input, first, rows * cols, input),
                             .in_stride = cols,
                             .residual = as_f32(kernel.residual, data.residual, first, rows * cols, residual),
                             .residual_stride = cols,
                             .gamma = as_f32(kernel.gamma, data.gamma, 0, cols, gamma),
                             .beta = as_f32(kernel.beta, data.beta, 0, cols, beta),
                             .out = result.data(),
                             .out_stride = cols,
                             .rows = rows});
    kernel.input.store_f32(data.out, first, rows * cols, result.data());
}

TTNN_CPU_SIMD_CLONES float sum_of(const float* x, std::size_t n, float mean, bool squares) {
    float lanes[kLanes] = {};
    for (std::size_t i = 0; i < n; ++i) {
        const float d = x[i] - mean;
        lanes[i % kLanes] += squares ? d * d : d;
    }
    float total = 0.0F;
    for (const float lane : lanes) {
        total += lane;
    }
    return total;
}

// For rows of which any operand is FLOAT32.
void rows_f32(const LayerNormKernel& kernel, const LayerNormData& data, std::size_t first_row, std::size_t rows) {
    const std::size_t cols = kernel.input.cols;
    std::vector<float> x(cols);
    std::vector<float> added(cols, 0.0F);
    std::vector<float> gamma(cols, 1.0F);
    std::vector<float> beta(cols, 0.0F);
    if (kernel.gamma) {
        kernel.gamma->load_f32(data.gamma, 0, cols, gamma.data());
    }
    if (kernel.beta) {
        kernel.beta->load_f32(data.beta, 0, cols, beta.data());
    }
    const float inverse = 1.0F / static_cast<float>(kernel.columns);
    for (std::size_t row = first_row; row < first_row + rows; ++row) {
        kernel.input.load_f32(data.input, row * cols, cols, x.data());
        if (kernel.residual) {
            kernel.residual->load_f32(data.residual, row * cols, cols, added.data());
            for (std::size_t i = 0; i < cols; ++i) {
                x[i] += added[i];
            }
        }
        const float mean = kernel.rms ? 0.0F : sum_of(x.data(), kernel.columns, 0.0F, false) * inverse;
        const float variance = sum_of(x.data(), kernel.columns, mean, true) * inverse;
        const float factor = 1.0F / std::sqrt(variance + kernel.epsilon);
        for (std::size_t i = 0; i < kernel.columns; ++i) {
            x[i] = (x[i] - mean) * factor * gamma[i] + beta[i];
        }
        std::fill(x.begin() + static_cast<std::ptrdiff_t>(kernel.columns), x.end(), 0.0F);
        kernel.input.store_f32(data.out, row * cols, cols, x.data());
    }
}

}  // namespace

void layer_norm(const LayerNormKernel& kernel, const LayerNormData& data) {
    const bool bf16 =
        kernel.input.fits_bf16() && bf16_only(kernel.residual) && bf16_only(kernel.gamma) && bf16_only(kernel.beta);
    kernels::parallel_for(divide_up(kernel.input.rows, kRows), [&](std::size_t chunk) {
        const std::size_t first = chunk * kRows;
        const std::size_t rows = std::min(kRows, kernel.input.rows - first);
        auto* const other = kernel.numerics == Numerics::Wormhole ? rows_f32_wormhole : rows_f32;
        (bf16 ? rows_bf16 : other)(kernel, data, first, rows);
    });
}

}  // namespace ttnn_cpu
