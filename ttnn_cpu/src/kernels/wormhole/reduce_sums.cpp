// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/reduce_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::size_t kFace = 16;

bool vector_code(const SumSpec& spec) { return spec.dest == DestWidth::Bits32 && cpu_has_avx512(); }

std::array<std::uint32_t, kFace> filled(float value) {
    std::array<std::uint32_t, kFace> out{};
    out.fill(std::bit_cast<std::uint32_t>(value));
    return out;
}

}  // namespace

void sum_rows_ref(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    const auto scaler = filled(spec.scaler);
    for (std::size_t row = 0; row < rows; ++row) {
        std::uint32_t sum = 0;
        for (std::size_t tile = 0; tile < columns; tile += 2 * kFace) {
            for (int phase = 0; phase < static_cast<int>(spec.fidelity); ++phase) {
                for (std::size_t face = 0; face < 2 * kFace; face += kFace) {
                    std::array<std::uint32_t, kFace> values{};
                    for (std::size_t i = 0; i < kFace; ++i) {
                        values[i] = std::bit_cast<std::uint32_t>(in[row * stride + tile + face + i]);
                    }
                    sum = mvmul(sum, values.data(), scaler.data(), phase, spec.dest);
                }
            }
        }
        sums[row] = std::bit_cast<float>(sum);
    }
}

void sum_columns_ref(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    const auto scaler = filled(spec.scaler);
    for (std::size_t column = 0; column < columns; ++column) {
        std::uint32_t sum = 0;
        for (std::size_t face = 0; face < rows; face += kFace) {
            std::array<std::uint32_t, kFace> values{};
            for (std::size_t i = 0; i < std::min(kFace, rows - face); ++i) {
                values[i] = std::bit_cast<std::uint32_t>(in[(face + i) * stride + column]);
            }
            for (int phase = 0; phase < static_cast<int>(spec.fidelity); ++phase) {
                sum = mvmul(sum, scaler.data(), values.data(), phase, spec.dest);
            }
        }
        sums[column] = std::bit_cast<float>(sum);
    }
}

std::uint16_t sum_column_bf16(const std::uint16_t* in, std::size_t stride, std::size_t rows) {
    const auto scaler = filled(1.0F);
    std::uint32_t sum = 0;
    for (std::size_t face = 0; face < rows; face += kFace) {
        std::array<std::uint32_t, kFace> values{};
        for (std::size_t i = 0; i < std::min(kFace, rows - face); ++i) {
            values[i] = widen_bf16(in[(face + i) * stride]);
        }
        for (int phase = 0; phase < static_cast<int>(Fidelity::HiFi4); ++phase) {
            sum = mvmul(sum, scaler.data(), values.data(), phase, DestWidth::Bits16);
        }
    }
    return pack_bf16_from_dst16(static_cast<std::uint16_t>(sum >> 16));
}

void sum_rows(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    (vector_code(spec) ? sum_rows_avx512 : sum_rows_ref)(spec, in, stride, rows, columns, sums);
}

void sum_columns(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    (vector_code(spec) ? sum_columns_avx512 : sum_columns_ref)(spec, in, stride, rows, columns, sums);
}

float sum_tile(const SumSpec& spec, const float* in, std::uint32_t dropped) {
    constexpr std::size_t kSide = 2 * kFace;
    std::array<float, kSide * kSide> faces;  // one below the other
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const std::size_t row = i / kFace;
        const std::size_t face = row / kFace;
        faces[i] = in[(face / 2 * kFace + row % kFace) * kSide + face % 2 * kFace + i % kFace];
    }
    std::array<float, kFace> columns;
    sum_columns(spec, faces.data(), kFace, faces.size() / kFace, kFace, columns.data());
    for (float& column : columns) {
        column = std::bit_cast<float>(std::bit_cast<std::uint32_t>(column) & ~dropped);
    }
    float sum = 0.0F;
    sum_columns(spec, columns.data(), 1, kFace, 1, &sum);
    return sum;
}

namespace {

// Float32 sums where that is exact; tells where it was not.
TTNN_CPU_SIMD_CLONES bool add_exactly(const float* values, std::size_t n, const float* sums, float* out) {
    std::uint32_t inexact = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float value = std::bit_cast<float>(truncate_to_tf32(std::bit_cast<std::uint32_t>(values[i])));
        out[i] = sums[i] + value;
        // A small result may be a denormal, which the unit has none of; a large one rounds another way.
        const bool exact = static_cast<double>(sums[i]) + static_cast<double>(value) == static_cast<double>(out[i]);
        const std::uint32_t exponent = std::bit_cast<std::uint32_t>(out[i]) & 0x7F800000U;
        const bool ordinary = out[i] == 0.0F || exponent - 0x0C000000U < 0x60000000U;
        inexact |= exact && ordinary ? 0U : 1U;
    }
    return inexact == 0;
}

}  // namespace

void accumulate_tiles(const float* values, std::size_t n, DestWidth dest, float* sums) {
    constexpr std::size_t kChunk = 256;
    float next[kChunk];
    for (std::size_t start = 0; start < n; start += kChunk) {
        const std::size_t count = std::min(kChunk, n - start);
        if (dest == DestWidth::Bits32 && add_exactly(values + start, count, sums + start, next)) {
            std::copy_n(next, count, sums + start);
            continue;
        }
        for (std::size_t i = start; i < start + count; ++i) {
            sums[i] = std::bit_cast<float>(
                fpu_accumulate(std::bit_cast<std::uint32_t>(sums[i]), std::bit_cast<std::uint32_t>(values[i]), dest));
        }
    }
}

}  // namespace ttnn_cpu::kernels::wormhole
