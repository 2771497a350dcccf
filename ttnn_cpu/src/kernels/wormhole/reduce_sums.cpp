// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/reduce_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels::wormhole {
namespace {

constexpr std::size_t kFace = 16;

bool vector_code() { return cpu_has_avx512(); }

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
                    sum = mvmul(sum, values.data(), scaler.data(), phase, DestWidth::Bits32);
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
                sum = mvmul(sum, scaler.data(), values.data(), phase, DestWidth::Bits32);
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
    (vector_code() ? sum_rows_avx512 : sum_rows_ref)(spec, in, stride, rows, columns, sums);
}

void sum_columns(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    (vector_code() ? sum_columns_avx512 : sum_columns_ref)(spec, in, stride, rows, columns, sums);
}

}  // namespace ttnn_cpu::kernels::wormhole
