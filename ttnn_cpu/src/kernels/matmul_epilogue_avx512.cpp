// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_epilogue_rows.hpp"

#if defined(__x86_64__)

#include <immintrin.h>

#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

// To bfloat16 in the upper half: ties away from zero, NaN to infinity, denormals to +0.
TTNN_CPU_AVX512 inline __m512i round_away(__m512i bits) {
    const __m512i infinity = _mm512_set1_epi32(0x7F800000);
    const __m512i magnitude = _mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFFFF));
    const __mmask16 nan = _mm512_cmpgt_epi32_mask(magnitude, infinity);
    const __m512i sign = _mm512_and_si512(bits, _mm512_set1_epi32(static_cast<int>(0x80000000U)));
    const __m512i finite = _mm512_mask_or_epi32(bits, nan, sign, infinity);
    const __m512i rounded = _mm512_and_si512(
        _mm512_add_epi32(finite, _mm512_set1_epi32(0x8000)), _mm512_set1_epi32(static_cast<int>(0xFFFF0000U)));
    const __mmask16 normal = _mm512_test_epi32_mask(rounded, infinity);
    return _mm512_maskz_mov_epi32(normal, rounded);
}

template <bool kBias, bool kTable, bool kRelu>
TTNN_CPU_AVX512 void finish(
    const float* sums, const float* bias, std::size_t n, const std::uint16_t* table, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; i += 16) {
        __m512i value = round_away(_mm512_loadu_si512(sums + i));
        if constexpr (kBias) {
            const __m512 sum = _mm512_add_ps(_mm512_castsi512_ps(value), _mm512_loadu_ps(bias + i));
            value = round_away(_mm512_castps_si512(sum));
        }
        __m512i narrow = _mm512_srli_epi32(value, 16);
        if constexpr (kTable) {
            // Reads two bytes more than the entry; the last entries, of NaNs, are never asked for.
            narrow = _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, narrow, table, 2);
        }
        if constexpr (kRelu) {
            const __mmask16 negative = _mm512_test_epi32_mask(narrow, _mm512_set1_epi32(0x8000));
            narrow = _mm512_maskz_mov_epi32(static_cast<__mmask16>(~negative), narrow);
        }
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(out + i), _mm512_maskz_cvtepi32_epi16(static_cast<__mmask16>(0xFFFF), narrow));
    }
}

}  // namespace

TTNN_CPU_AVX512 void finish_row_avx512(
    const float* sums, const float* bias, std::size_t n, const std::uint16_t* table, bool relu, std::uint16_t* out) {
    const auto with = [&]<bool kTable, bool kRelu>() {
        bias != nullptr ? finish<true, kTable, kRelu>(sums, bias, n, table, out)
                        : finish<false, kTable, kRelu>(sums, bias, n, table, out);
    };
    if (table != nullptr) {
        relu ? with.template operator()<true, true>() : with.template operator()<true, false>();
    } else {
        relu ? with.template operator()<false, true>() : with.template operator()<false, false>();
    }
}

}  // namespace ttnn_cpu::kernels

#endif
