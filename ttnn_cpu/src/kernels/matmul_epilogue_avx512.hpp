// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sums on their way to the output in registers: for the files that hold AVX-512 code.
#include "kernels/formats_avx512.hpp"
#include "kernels/matmul_epilogue_rows.hpp"

#if defined(__x86_64__)

namespace ttnn_cpu::kernels::avx512 {

// To bfloat16 in the upper half: ties away from zero, NaN to infinity, denormals to +0.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i round_away(__m512 value) {
    const __m512i bits = _mm512_castps_si512(value);
    const __m512i infinity = _mm512_set1_epi32(0x7F800000);
    const __m512i added = _mm512_add_epi32(bits, _mm512_set1_epi32(0x8000));
    __m512i rounded = _mm512_maskz_and_epi32(
        _mm512_test_epi32_mask(added, infinity), added, _mm512_set1_epi32(static_cast<int>(0xFFFF0000U)));
    if (const __mmask16 nan = _mm512_cmp_ps_mask(value, value, _CMP_UNORD_Q); nan != 0) {
        const __m512i sign = _mm512_and_si512(bits, _mm512_set1_epi32(static_cast<int>(0x80000000U)));
        rounded = _mm512_mask_or_epi32(rounded, nan, sign, infinity);
    }
    return rounded;
}

// 16 sums whose bias begins at i, in the upper halves of the lanes, or with a table in the lower ones.
template <bool kBias, bool kTable>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i finish16(__m512 sums, const RowSteps& steps, std::size_t i) {
    __m512i value = round_away(sums);
    if constexpr (kBias) {
        value = round_away(_mm512_add_ps(_mm512_castsi512_ps(value), _mm512_loadu_ps(steps.bias + i)));
    }
    if constexpr (kTable) {
        // Reads two bytes more than the entry; the last entries, of NaNs, are never asked for.
        value =
            _mm512_mask_i32gather_epi32(_mm512_setzero_si512(), 0xFFFF, _mm512_srli_epi32(value, 16), steps.table, 2);
    }
    return value;
}

// Calls f.operator()<bias, table, clamp>() for what the steps are.
template <typename F>
void with_steps(const RowSteps& steps, const F& f) {
    const auto clamp = [&]<bool kBias, bool kTable>() {
        steps.ceiling != 0 ? f.template operator()<kBias, kTable, true>()
                           : f.template operator()<kBias, kTable, false>();
    };
    const auto table = [&]<bool kBias>() {
        steps.table != nullptr ? clamp.template operator()<kBias, true>() : clamp.template operator()<kBias, false>();
    };
    steps.bias != nullptr ? table.template operator()<true>() : table.template operator()<false>();
}

}  // namespace ttnn_cpu::kernels::avx512
#endif
