// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_few_rows.hpp"

#include "kernels/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include <algorithm>
#include <cstring>

namespace ttnn_cpu::kernels {

#if defined(__x86_64__)

namespace {

constexpr std::size_t kDepth = 16;  // rows of weights between two visits of the sums
constexpr std::size_t kColumns = 32;

// 32 weights of a row of a block float: value = sign magnitude * 2^(exponent - 133).
struct Bfp8Weights {
    const std::uint8_t* values;
    const std::uint8_t* exponents;
    std::size_t cols;
    std::size_t col;

    TTNN_CPU_AVX512 void load(std::size_t row, std::size_t offset, __m512i mask, __m512* out) const {
        const std::size_t index = row * cols + col + offset;
        const __m256i stored = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(values + index));
        const __m256i magnitude = _mm256_and_si256(stored, _mm256_set1_epi8(0x7F));
        const __mmask32 negative = _mm256_movepi8_mask(stored);
        const __m256i integer = _mm256_mask_sub_epi8(magnitude, negative, _mm256_setzero_si256(), magnitude);
        out[0] = scaled(_mm256_castsi256_si128(integer), exponents[index / 16], mask);
        out[1] = scaled(_mm256_extracti128_si256(integer, 1), exponents[index / 16 + 1], mask);
    }

    TTNN_CPU_AVX512 static __m512 scaled(__m128i integer, std::uint8_t exponent, __m512i mask) {
        const __m512 value = _mm512_maskz_cvtepi32_ps(
            static_cast<__mmask16>(0xFFFF), _mm512_maskz_cvtepi8_epi32(static_cast<__mmask16>(0xFFFF), integer));
        const __m512 kept = _mm512_castsi512_ps(_mm512_and_si512(_mm512_castps_si512(value), mask));
        const std::uint32_t scale = exponent > 6 ? (static_cast<std::uint32_t>(exponent) - 6U) << 23 : 0U;
        return _mm512_mul_ps(kept, _mm512_castsi512_ps(_mm512_set1_epi32(static_cast<int>(scale))));
    }

    TTNN_CPU_AVX512 void prefetch(std::size_t row, std::size_t offset) const {
        _mm_prefetch(reinterpret_cast<const char*>(values + row * cols + col + offset), _MM_HINT_T0);
    }
};

struct Bf16Weights {
    const std::uint16_t* values;
    std::size_t cols;
    std::size_t col;

    TTNN_CPU_AVX512 void load(std::size_t row, std::size_t offset, __m512i mask, __m512* out) const {
        const std::uint16_t* const at = values + row * cols + col + offset;
        for (int half = 0; half < 2; ++half) {
            const __m256i stored = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at + 16 * half));
            const __m512i bits = _mm512_slli_epi32(_mm512_maskz_cvtepu16_epi32(static_cast<__mmask16>(0xFFFF), stored), 16);
            const __mmask16 normal = _mm512_test_epi32_mask(bits, _mm512_set1_epi32(0x7F800000));
            out[half] = _mm512_castsi512_ps(_mm512_maskz_and_epi32(normal, bits, mask));
        }
    }

    TTNN_CPU_AVX512 void prefetch(std::size_t row, std::size_t offset) const {
        _mm_prefetch(reinterpret_cast<const char*>(values + row * cols + col + offset), _MM_HINT_T0);
    }
};

template <std::size_t kRows, typename Weights>
TTNN_CPU_AVX512 void multiply(
    const float* in, std::size_t k, const Weights& weights, std::size_t n, std::uint32_t mask_bits, float* sums) {
    const __m512i mask = _mm512_set1_epi32(static_cast<int>(mask_bits));
    std::memset(sums, 0, kRows * n * sizeof(float));
    for (std::size_t first = 0; first < k; first += kDepth) {
        const std::size_t last = std::min(k, first + kDepth);
        for (std::size_t offset = 0; offset < n; offset += kColumns) {
            __m512 sum[kRows][2];
            for (std::size_t row = 0; row < kRows; ++row) {
                sum[row][0] = _mm512_loadu_ps(sums + row * n + offset);
                sum[row][1] = _mm512_loadu_ps(sums + row * n + offset + 16);
            }
            for (std::size_t i = first; i < last; ++i) {
                // The rows that come next: they are too far apart for the hardware to guess.
                if (i + kDepth < k) {
                    weights.prefetch(i + kDepth, offset);
                }
                __m512 weight[2];
                weights.load(i, offset, mask, weight);
                for (std::size_t row = 0; row < kRows; ++row) {
                    const __m512 value = _mm512_set1_ps(in[row * k + i]);
                    sum[row][0] = _mm512_fmadd_ps(value, weight[0], sum[row][0]);
                    sum[row][1] = _mm512_fmadd_ps(value, weight[1], sum[row][1]);
                }
            }
            for (std::size_t row = 0; row < kRows; ++row) {
                _mm512_storeu_ps(sums + row * n + offset, sum[row][0]);
                _mm512_storeu_ps(sums + row * n + offset + 16, sum[row][1]);
            }
        }
    }
}

template <typename Weights>
void multiply_rows(
    const float* in, std::size_t rows, std::size_t k, const Weights& weights, std::size_t n, std::uint32_t mask,
    float* sums) {
    switch (rows) {
        case 1: return multiply<1>(in, k, weights, n, mask, sums);
        case 2: return multiply<2>(in, k, weights, n, mask, sums);
        case 3: return multiply<3>(in, k, weights, n, mask, sums);
        case 4: return multiply<4>(in, k, weights, n, mask, sums);
        case 5: return multiply<5>(in, k, weights, n, mask, sums);
        case 6: return multiply<6>(in, k, weights, n, mask, sums);
        case 7: return multiply<7>(in, k, weights, n, mask, sums);
        default: return multiply<8>(in, k, weights, n, mask, sums);
    }
}

}  // namespace

bool few_rows_supported(StoredFormat weights) {
    return cpu_has_avx512() && (weights == StoredFormat::Bfloat8B || weights == StoredFormat::Bfloat16);
}

void few_rows_avx512(
    const float* in, std::size_t rows, std::size_t k, const StoredMatrix& weights, std::size_t col, std::size_t n,
    std::uint32_t mask, float* sums) {
    if (weights.format == StoredFormat::Bfloat8B) {
        const auto* const values = reinterpret_cast<const std::uint8_t*>(weights.data);
        const Bfp8Weights stored{values, values + weights.rows * weights.cols, weights.cols, col};
        multiply_rows(in, rows, k, stored, n, mask, sums);
    } else {
        const Bf16Weights stored{reinterpret_cast<const std::uint16_t*>(weights.data), weights.cols, col};
        multiply_rows(in, rows, k, stored, n, mask, sums);
    }
}

#else

bool few_rows_supported(StoredFormat) { return false; }

void few_rows_avx512(
    const float*, std::size_t, std::size_t, const StoredMatrix&, std::size_t, std::size_t, std::uint32_t, float*) {}

#endif

}  // namespace ttnn_cpu::kernels
