// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/simd.hpp"
#include "kernels/wormhole/reduce_sums.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kTileSide = 32;
constexpr float kInfinity = std::numeric_limits<float>::infinity();

bool is_sum(ReduceFunction function) { return function == ReduceFunction::Sum || function == ReduceFunction::Mean; }

float scaler_of(const ReduceSpec& spec, std::size_t count) {
    return spec.function == ReduceFunction::Mean ? spec.scalar / static_cast<float>(count) : spec.scalar;
}

// The kernels put the scaler into a bfloat16 tile by dropping its lower half.
wormhole::SumSpec sum_spec(const ReduceSpec& spec, std::size_t count) {
    return {bf16_to_float(bf16_truncate(scaler_of(spec, count))), spec.fidelity, spec.dest};
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

// What a FLOAT32 value keeps in a source register: TF32 beside a 32-bit destination, bfloat16 beside a 16-bit one.
std::uint32_t dropped_bits(wormhole::DestWidth dest) { return dest == wormhole::DestWidth::Bits32 ? 0x1FFFU : 0xFFFFU; }

float in_source(float value, wormhole::DestWidth dest) {
    return sfpu::from_bits(sfpu::bits_of(value) & ~dropped_bits(dest));
}

// SFPADD: IEEE's sum without denormals.
TTNN_CPU_ALWAYS_INLINE float lane_add(float x, float y) {
    const auto flushed = [](float value) { return (sfpu::bits_of(value) & 0x7F800000U) == 0 ? 0.0F : value; };
    return flushed(flushed(x) + flushed(y));
}

TTNN_CPU_SIMD_CLONES void lane_adds(const float* x, const float* y, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = lane_add(x[i], y[i]);
    }
}

// A row on the vector unit: tile upon tile, then the tile's 32 columns. A register holds the even or the odd columns of
// a face; four of them are added from the last to the first, then the eight lanes by rotating.
float vector_row_sum(const float* in, std::size_t n) {
    float tile[kTileSide] = {};
    std::copy_n(in, std::min(n, kTileSide), tile);
    for (std::size_t start = kTileSide; start < n; start += kTileSide) {
        float next[kTileSide] = {};
        std::copy_n(in + start, std::min(n - start, kTileSide), next);
        lane_adds(tile, next, kTileSide, tile);
    }
    constexpr std::size_t kRegister = 8;
    float lanes[kRegister];
    for (std::size_t lane = 0; lane < kRegister; ++lane) {
        const float* face0 = tile + 2 * lane;
        const float* face1 = face0 + kTileSide / 2;
        lanes[lane] = lane_add(face0[0], lane_add(face0[1], lane_add(face1[0], face1[1])));
    }
    for (std::size_t turn = kRegister / 2; turn > 0; turn /= 2) {
        float turned[kRegister];
        for (std::size_t lane = 0; lane < kRegister; ++lane) {
            turned[lane] = lanes[(lane + kRegister - turn) % kRegister];
        }
        lane_adds(lanes, turned, kRegister, lanes);
    }
    return lanes[0];
}

// Columns on the vector unit: tile upon tile; then registers of four rows, from the last of a face to the first; the
// faces; and the four rows of what is left, in pairs.
void vector_column_sums(const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    std::vector<float> tile(kTileSide * columns, 0.0F);
    for (std::size_t row = 0; row < rows; ++row) {
        float* line = &tile[row % kTileSide * columns];
        if (row < kTileSide) {
            std::copy_n(in + row * stride, columns, line);
        } else {
            lane_adds(line, in + row * stride, columns, line);
        }
    }
    const auto add = [&](std::size_t to, std::size_t from) {
        lane_adds(&tile[to * columns], &tile[from * columns], columns, &tile[to * columns]);
    };
    for (std::size_t row = 0; row < 4; ++row) {
        for (const std::size_t face : {row, row + kTileSide / 2}) {
            add(face + 8, face + 12);
            add(face + 4, face + 8);
            add(face, face + 4);
        }
        add(row, row + kTileSide / 2);
    }
    add(2, 3);
    add(0, 1);
    add(0, 2);
    std::copy_n(tile.data(), columns, sums);
}

// Maxima and minima of FLOAT32. The matrix unit's are those of the cut values.
float extreme_f32(const ReduceSpec& spec, float best) {
    return scaled(spec.vector_unit ? best : in_source(best, spec.dest), spec.scalar);
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
    if (is_sum(spec.function) && !spec.vector_unit) {
        const wormhole::SumSpec sum{in_source(scaler_of(spec, columns), spec.dest), spec.fidelity, spec.dest};
        const std::size_t padded = (columns + kTileSide - 1) / kTileSide * kTileSide;
        std::vector<float> block(wormhole::kSumLanes * padded);
        for (std::size_t start = 0; start < rows; start += wormhole::kSumLanes) {
            const std::size_t count = std::min(wormhole::kSumLanes, rows - start);
            for (std::size_t row = 0; row < count; ++row) {
                const float* values = in + (start + row) * stride;
                std::transform(values, values + columns, &block[row * padded], [&](float value) {
                    return in_source(value, spec.dest);
                });
            }
            sum_rows(sum, block.data(), padded, count, padded, out + start);
        }
        return;
    }
    for (std::size_t row = 0; row < rows; ++row) {
        const float* values = in + row * stride;
        if (is_sum(spec.function)) {
            out[row] = scaled(vector_row_sum(values, columns), scaler_of(spec, columns));
            continue;
        }
        const bool minimum = spec.function == ReduceFunction::Min;
        const float none = minimum ? kInfinity : -kInfinity;
        out[row] =
            extreme_f32(spec, std::accumulate(values, values + columns, none, minimum ? sfpu::minimum : sfpu::maximum));
    }
}

void reduce_over_rows_f32(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* out) {
    if (is_sum(spec.function) && spec.vector_unit) {
        vector_column_sums(in, stride, rows, columns, out);
        const float scaler = scaler_of(spec, rows);
        std::transform(out, out + columns, out, [&](float sum) { return scaled(sum, scaler); });
        return;
    }
    if (is_sum(spec.function)) {
        const wormhole::SumSpec sum{in_source(scaler_of(spec, rows), spec.dest), spec.fidelity, spec.dest};
        std::vector<float> block(rows * wormhole::kSumLanes);
        for (std::size_t start = 0; start < columns; start += wormhole::kSumLanes) {
            const std::size_t count = std::min(wormhole::kSumLanes, columns - start);
            for (std::size_t row = 0; row < rows; ++row) {
                const float* values = in + row * stride + start;
                std::transform(values, values + count, &block[row * wormhole::kSumLanes], [&](float value) {
                    return in_source(value, spec.dest);
                });
            }
            sum_columns(sum, block.data(), wormhole::kSumLanes, rows, count, out + start);
        }
        return;
    }
    const bool minimum = spec.function == ReduceFunction::Min;
    std::fill(out, out + columns, minimum ? kInfinity : -kInfinity);
    for (std::size_t row = 0; row < rows; ++row) {
        std::transform(out, out + columns, in + row * stride, out, minimum ? sfpu::minimum : sfpu::maximum);
    }
    std::transform(out, out + columns, out, [&](float best) { return extreme_f32(spec, best); });
}

float reduce_tile(
    const ReduceSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns,
    bool float32_values) {
    // The scaler comes twice, so each time its root.
    const float root = std::sqrt(scaler_of(spec, rows * columns));
    const float scaler = float32_values ? in_source(root, spec.dest) : bf16_to_float(bf16_truncate(root));
    std::vector<float> tile(kTileSide * kTileSide, 0.0F);
    for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < columns; ++column) {
            tile[row * kTileSide + column] = in_source(in[row * stride + column], spec.dest);
        }
    }
    const std::uint32_t dropped = float32_values ? dropped_bits(spec.dest) : 0xFFFFU;
    return wormhole::sum_tile({scaler, spec.fidelity, spec.dest}, tile.data(), dropped);
}

}  // namespace ttnn_cpu::kernels
