// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/simd.hpp"
#include "kernels/wormhole/reduce_sums.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes = 16;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool is_sum(ReduceFunction function) { return function == ReduceFunction::Sum || function == ReduceFunction::Mean; }

// The kernels put the scaler into a bfloat16 tile by dropping its lower half.
wormhole::SumSpec sum_spec(const ReduceSpec& spec, std::size_t count) {
    const float scaler = spec.function == ReduceFunction::Mean ? spec.scalar / static_cast<float>(count) : spec.scalar;
    return {bf16_to_float(bf16_truncate(scaler)), spec.fidelity};
}

float scaled(float value, float scalar) { return scalar == 1.0F ? value : sfpu::mul(value, scalar); }

// Patterns ordered as integers: larger magnitudes further out on both sides.
TTNN_CPU_ALWAYS_INLINE std::int16_t ordered(std::uint16_t bits) {
    return static_cast<std::int16_t>(
        bits ^ (static_cast<std::uint16_t>(static_cast<std::int16_t>(bits) >> 15) & 0x7FFFU));
}

TTNN_CPU_ALWAYS_INLINE std::uint16_t pattern(std::int16_t order) {
    return static_cast<std::uint16_t>(order ^ ((order >> 15) & 0x7FFF));
}

TTNN_CPU_SIMD_CLONES std::int16_t largest_order(const std::uint16_t* in, std::size_t n, std::uint16_t flip) {
    std::int16_t best = ordered(0xFF80U);
    for (std::size_t i = 0; i < n; ++i) {
        best = std::max(best, ordered(static_cast<std::uint16_t>(in[i] ^ flip)));
    }
    return best;
}

TTNN_CPU_SIMD_CLONES void keep_largest(const std::uint16_t* in, std::size_t n, std::uint16_t flip, std::int16_t* best) {
    for (std::size_t i = 0; i < n; ++i) {
        best[i] = std::max(best[i], ordered(static_cast<std::uint16_t>(in[i] ^ flip)));
    }
}

float extreme(std::int16_t best, bool minimum) {
    const float value = bf16_to_float(pattern(best));
    return minimum ? -value : value;
}

TTNN_CPU_SIMD_CLONES float row_sum(const float* in, std::size_t n) {
    float lanes[kLanes] = {};
    std::size_t i = 0;
    for (; i + kLanes <= n; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += in[i + lane];
        }
    }
    for (; i < n; ++i) {
        lanes[i % kLanes] += in[i];
    }
    for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
        for (std::size_t lane = 0; lane < width; ++lane) {
            lanes[lane] += lanes[lane + width];
        }
    }
    return lanes[0];
}

TTNN_CPU_SIMD_CLONES void add_row(const float* in, std::size_t n, float* sums) {
    for (std::size_t i = 0; i < n; ++i) {
        sums[i] += in[i];
    }
}

float float_factor(const ReduceSpec& spec, std::size_t count) {
    return spec.function == ReduceFunction::Mean ? spec.scalar / static_cast<float>(count) : spec.scalar;
}

}  // namespace

std::uint16_t max_bf16(const std::uint16_t* in, std::size_t n) { return pattern(largest_order(in, n, 0)); }

void reduce_over_columns_bf16(
    const ReduceSpec& spec, const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns,
    float* out) {
    if (!is_sum(spec.function)) {
        const bool minimum = spec.function == ReduceFunction::Min;
        for (std::size_t row = 0; row < rows; ++row) {
            const std::int16_t best = largest_order(in + row * stride, columns, minimum ? 0x8000 : 0);
            out[row] = scaled(extreme(best, minimum), spec.scalar);
        }
        return;
    }
    const wormhole::SumSpec sum = sum_spec(spec, columns);
    const std::size_t padded = (columns + 31) / 32 * 32;
    std::vector<float> block(wormhole::kSumLanes * padded);
    for (std::size_t start = 0; start < rows; start += wormhole::kSumLanes) {
        const std::size_t count = std::min(wormhole::kSumLanes, rows - start);
        for (std::size_t row = 0; row < count; ++row) {
            unpack_bf16(in + (start + row) * stride, columns, &block[row * padded]);
        }
        sum_rows(sum, block.data(), padded, count, padded, out + start);
    }
}

void reduce_over_rows_bf16(
    const ReduceSpec& spec, const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns,
    float* out) {
    if (!is_sum(spec.function)) {
        const bool minimum = spec.function == ReduceFunction::Min;
        std::vector<std::int16_t> best(columns, ordered(0xFF80U));
        for (std::size_t row = 0; row < rows; ++row) {
            keep_largest(in + row * stride, columns, minimum ? 0x8000 : 0, best.data());
        }
        for (std::size_t column = 0; column < columns; ++column) {
            out[column] = scaled(extreme(best[column], minimum), spec.scalar);
        }
        return;
    }
    const wormhole::SumSpec sum = sum_spec(spec, rows);
    std::vector<float> block(rows * wormhole::kSumLanes);
    for (std::size_t start = 0; start < columns; start += wormhole::kSumLanes) {
        const std::size_t count = std::min(wormhole::kSumLanes, columns - start);
        for (std::size_t row = 0; row < rows; ++row) {
            unpack_bf16(in + row * stride + start, count, &block[row * wormhole::kSumLanes]);
        }
        sum_columns(sum, block.data(), wormhole::kSumLanes, rows, count, out + start);
    }
}

void reduce_over_columns_f32(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* out) {
    for (std::size_t row = 0; row < rows; ++row) {
        const float* values = in + row * stride;
        if (is_sum(spec.function)) {
            out[row] = row_sum(values, columns) * float_factor(spec, columns);
        } else if (spec.function == ReduceFunction::Max) {
            out[row] = scaled(columns == 0 ? -kInfinity : *std::max_element(values, values + columns), spec.scalar);
        } else {
            out[row] = scaled(columns == 0 ? kInfinity : *std::min_element(values, values + columns), spec.scalar);
        }
    }
}

void reduce_over_rows_f32(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* out) {
    if (is_sum(spec.function)) {
        std::fill(out, out + columns, 0.0F);
        for (std::size_t row = 0; row < rows; ++row) {
            add_row(in + row * stride, columns, out);
        }
        const float factor = float_factor(spec, rows);
        for (std::size_t column = 0; column < columns; ++column) {
            out[column] *= factor;
        }
        return;
    }
    const bool minimum = spec.function == ReduceFunction::Min;
    std::fill(out, out + columns, minimum ? kInfinity : -kInfinity);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            const float value = in[row * stride + column];
            out[column] = minimum ? std::min(out[column], value) : std::max(out[column], value);
        }
    }
    for (std::size_t column = 0; column < columns; ++column) {
        out[column] = scaled(out[column], spec.scalar);
    }
}

}  // namespace ttnn_cpu::kernels
