// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_few_rows.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "kernels/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kColumns = kFewRowsColumns;
constexpr std::size_t kGroups = kColumns / 16;

std::size_t round_up_64(std::size_t bytes) { return (bytes + 63) / 64 * 64; }

// A bfloat8_b panel is k rows of 64 signed integers, then k rows of 4 exponents: value = integer * 2^(exponent - 133).
std::size_t exponents_offset(std::size_t k) { return k * kColumns; }

void pack_bfp8(const OperandMatrix& weights, std::size_t k, std::size_t col, std::uint32_t mask, std::uint8_t* panel) {
    std::array<std::uint8_t, 256> integers{};
    for (unsigned stored = 0; stored < 256; ++stored) {
        const float magnitude = static_cast<float>(stored & 0x7FU);
        const int kept = static_cast<int>(std::bit_cast<float>(std::bit_cast<std::uint32_t>(magnitude) & mask));
        integers[stored] = static_cast<std::uint8_t>((stored & 0x80U) != 0 ? -kept : kept);
    }
    const auto* const values = reinterpret_cast<const std::uint8_t*>(weights.data);
    const std::uint8_t* const exponents = values + weights.rows * weights.cols;
    const std::size_t columns = std::min(kColumns, weights.cols - col);
    std::memset(panel, 0, few_rows_panel_bytes(StoredFormat::Bfloat8B, k));
    for (std::size_t row = 0; row < k; ++row) {
        const std::size_t index = row * weights.cols + col;
        std::transform(values + index, values + index + columns, panel + row * kColumns, [&](std::uint8_t stored) {
            return integers[stored];
        });
        std::memcpy(panel + exponents_offset(k) + row * kGroups, exponents + index / 16, columns / 16);
    }
}

void pack_bf16(const OperandMatrix& weights, std::size_t k, std::size_t col, std::uint32_t mask, std::uint8_t* panel) {
    const auto* const values = reinterpret_cast<const std::uint16_t*>(weights.data);
    auto* const out = reinterpret_cast<std::uint16_t*>(panel);
    const auto kept = static_cast<std::uint16_t>(mask >> 16);
    const std::size_t columns = std::min(kColumns, weights.cols - col);
    std::memset(panel, 0, few_rows_panel_bytes(StoredFormat::Bfloat16, k));
    for (std::size_t row = 0; row < k; ++row) {
        const std::uint16_t* const from = values + row * weights.cols + col;
        std::transform(from, from + columns, out + row * kColumns, [&](std::uint16_t bits) {
            return static_cast<std::uint16_t>((bits & 0x7F80U) == 0 ? 0 : bits & kept);
        });
    }
}

#if defined(__x86_64__)

// 2^(exponent - 133) of the 16 groups of 4 rows.
TTNN_CPU_AVX512 inline __m512 scales(const std::uint8_t* exponents) {
    const __m512i exponent = _mm512_maskz_cvtepu8_epi32(
        static_cast<__mmask16>(0xFFFF), _mm_loadu_si128(reinterpret_cast<const __m128i*>(exponents)));
    const __m512i six = _mm512_set1_epi32(6);
    const __mmask16 normal = _mm512_cmpgt_epi32_mask(exponent, six);
    return _mm512_castsi512_ps(_mm512_maskz_slli_epi32(normal, _mm512_sub_epi32(exponent, six), 23));
}

template <std::size_t kRows>
struct Sums {
    __m512 sum[kRows][kGroups];

    TTNN_CPU_AVX512 void clear() {
        for (auto& row : sum) {
            for (auto& group : row) {
                group = _mm512_setzero_ps();
            }
        }
    }
    TTNN_CPU_AVX512 void store(float* out) const {
        for (std::size_t row = 0; row < kRows; ++row) {
            for (std::size_t group = 0; group < kGroups; ++group) {
                _mm512_storeu_ps(out + row * kColumns + group * 16, sum[row][group]);
            }
        }
    }
};

template <std::size_t kRows>
TTNN_CPU_AVX512 void multiply_bfp8(const float* in, std::size_t k, const std::uint8_t* panel, float* out) {
    Sums<kRows> sums;
    sums.clear();
    const std::uint8_t* const exponents = panel + exponents_offset(k);
    alignas(64) float scale[4 * kGroups];
    for (std::size_t first = 0; first < k; first += 4) {
        const std::size_t count = std::min<std::size_t>(4, k - first);
        __m512 factors = scales(exponents + first * kGroups);
        if constexpr (kRows == 1) {
            // The scale is a power of two: it may go to either factor.
            const __m128 values = _mm_maskz_loadu_ps(static_cast<__mmask8>((1U << count) - 1U), in + first);
            const __m512i spread = _mm512_set_epi32(3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0);
            factors = _mm512_mul_ps(factors, _mm512_permutexvar_ps(spread, _mm512_castps128_ps512(values)));
        }
        _mm512_store_ps(scale, factors);
        for (std::size_t i = 0; i < count; ++i) {
            const std::size_t row_k = first + i;
            for (std::size_t group = 0; group < kGroups; ++group) {
                const __m128i stored =
                    _mm_loadu_si128(reinterpret_cast<const __m128i*>(panel + row_k * kColumns + group * 16));
                const __m512 integer = _mm512_maskz_cvtepi32_ps(
                    static_cast<__mmask16>(0xFFFF), _mm512_maskz_cvtepi8_epi32(static_cast<__mmask16>(0xFFFF), stored));
                const __m512 factor = _mm512_set1_ps(scale[i * kGroups + group]);
                if constexpr (kRows == 1) {
                    sums.sum[0][group] = _mm512_fmadd_ps(factor, integer, sums.sum[0][group]);
                } else {
                    const __m512 weight = _mm512_mul_ps(integer, factor);
                    for (std::size_t row = 0; row < kRows; ++row) {
                        sums.sum[row][group] =
                            _mm512_fmadd_ps(_mm512_set1_ps(in[row * k + row_k]), weight, sums.sum[row][group]);
                    }
                }
            }
        }
    }
    sums.store(out);
}

template <std::size_t kRows>
TTNN_CPU_AVX512 void multiply_bf16(const float* in, std::size_t k, const std::uint8_t* panel, float* out) {
    Sums<kRows> sums;
    sums.clear();
    for (std::size_t row_k = 0; row_k < k; ++row_k) {
        for (std::size_t group = 0; group < kGroups; ++group) {
            const __m256i stored =
                _mm256_loadu_si256(reinterpret_cast<const __m256i*>(panel + 2 * (row_k * kColumns + group * 16)));
            const __m512 weight = _mm512_castsi512_ps(
                _mm512_slli_epi32(_mm512_maskz_cvtepu16_epi32(static_cast<__mmask16>(0xFFFF), stored), 16));
            for (std::size_t row = 0; row < kRows; ++row) {
                sums.sum[row][group] =
                    _mm512_fmadd_ps(_mm512_set1_ps(in[row * k + row_k]), weight, sums.sum[row][group]);
            }
        }
    }
    sums.store(out);
}

template <std::size_t kRows>
void multiply(const float* in, std::size_t k, StoredFormat weights, const std::uint8_t* panel, float* sums) {
    weights == StoredFormat::Bfloat8B ? multiply_bfp8<kRows>(in, k, panel, sums)
                                      : multiply_bf16<kRows>(in, k, panel, sums);
}

#endif

}  // namespace

std::size_t few_rows_panel_bytes(StoredFormat weights, std::size_t k) {
    // 64 more, so that the exponents of the last rows may be read 16 at a time.
    return round_up_64(weights == StoredFormat::Bfloat8B ? k * (kColumns + kGroups) + 64 : 2 * k * kColumns);
}

void few_rows_pack(
    const OperandMatrix& weights, std::size_t k, std::size_t col, std::uint32_t mask, std::uint8_t* panel) {
    weights.format == StoredFormat::Bfloat8B ? pack_bfp8(weights, k, col, mask, panel)
                                             : pack_bf16(weights, k, col, mask, panel);
}

#if defined(__x86_64__)

bool few_rows_supported(StoredFormat weights) {
    return cpu_has_avx512() && (weights == StoredFormat::Bfloat8B || weights == StoredFormat::Bfloat16);
}

void few_rows_multiply(
    const float* in, std::size_t rows, std::size_t k, StoredFormat weights, const std::uint8_t* panel, float* sums) {
    for (std::size_t row = 0; row < rows; row += 4) {
        const float* const from = in + row * k;
        float* const to = sums + row * kColumns;
        switch (std::min<std::size_t>(4, rows - row)) {
            case 1:
                multiply<1>(from, k, weights, panel, to);
                break;
            case 2:
                multiply<2>(from, k, weights, panel, to);
                break;
            case 3:
                multiply<3>(from, k, weights, panel, to);
                break;
            default:
                multiply<4>(from, k, weights, panel, to);
                break;
        }
    }
}

#else

bool few_rows_supported(StoredFormat) { return false; }

void few_rows_multiply(const float*, std::size_t, std::size_t, StoredFormat, const std::uint8_t*, float*) {}

#endif

}  // namespace ttnn_cpu::kernels
