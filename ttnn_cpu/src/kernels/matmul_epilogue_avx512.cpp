// SPDX-License-Identifier: Apache-2.0
#include "kernels/formats_avx512.hpp"
#include "kernels/matmul_epilogue_rows.hpp"

#if defined(__x86_64__)

namespace ttnn_cpu::kernels {
namespace {

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

// 16 values, in the upper halves of the lanes, or with a table in the lower ones.
template <bool kBias, bool kTable>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i finish16(const float* sums, const RowSteps& steps, std::size_t i) {
    __m512i value = round_away(_mm512_loadu_ps(sums + i));
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

template <bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i
finish32(const float* sums, const RowSteps& steps, std::size_t i, bool both) {
    const __m512i first = finish16<kBias, kTable>(sums, steps, i);
    const __m512i second = both ? finish16<kBias, kTable>(sums, steps, i + 16) : _mm512_setzero_si512();
    const __m256i low = _mm512_cvtepi32_epi16(kTable ? first : _mm512_srli_epi32(first, 16));
    const __m256i high = _mm512_cvtepi32_epi16(kTable ? second : _mm512_srli_epi32(second, 16));
    const __m512i values = _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
    if constexpr (!kClamp) {
        return values;
    }
    // As whole numbers bfloat16 are in order, the negative ones below zero.
    const __m512i positive = _mm512_max_epi16(values, _mm512_setzero_si512());
    return _mm512_min_epi16(positive, _mm512_set1_epi16(static_cast<short>(steps.ceiling)));
}

template <bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 void finish(const float* sums, const RowSteps& steps, std::size_t n, std::uint16_t* out) {
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        _mm512_storeu_si512(out + i, finish32<kBias, kTable, kClamp>(sums, steps, i, true));
    }
    if (i < n) {
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(out + i),
            _mm512_castsi512_si256(finish32<kBias, kTable, kClamp>(sums, steps, i, false)));
    }
}

template <int kBits, bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 void finish_packed(
    const float* sums, const RowSteps& steps, std::size_t n, std::uint8_t* codes, std::uint8_t* exponents) {
    constexpr std::size_t kBytes = kBits == 7 ? 16 : 8;
    std::size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m512i values = finish32<kBias, kTable, kClamp>(sums, steps, i, true);
        avx512::store_codes<kBits>(
            avx512::device_codes<kBits, false>(values, exponents + i / 16, true), true, codes + i / 16 * kBytes);
    }
    if (i < n) {
        const __m512i values = finish32<kBias, kTable, kClamp>(sums, steps, i, false);
        avx512::store_codes<kBits>(
            avx512::device_codes<kBits, false>(values, exponents + i / 16, false), false, codes + i / 16 * kBytes);
    }
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

}  // namespace

void finish_row_avx512(const float* sums, const RowSteps& steps, std::size_t n, std::uint16_t* out) {
    with_steps(
        steps, [&]<bool kBias, bool kTable, bool kClamp>() { finish<kBias, kTable, kClamp>(sums, steps, n, out); });
}

void finish_row_packed_avx512(
    const float* sums, const RowSteps& steps, std::size_t n, int bits, std::uint8_t* codes, std::uint8_t* exponents) {
    with_steps(steps, [&]<bool kBias, bool kTable, bool kClamp>() {
        bits == 7 ? finish_packed<7, kBias, kTable, kClamp>(sums, steps, n, codes, exponents)
                  : finish_packed<3, kBias, kTable, kClamp>(sums, steps, n, codes, exponents);
    });
}

}  // namespace ttnn_cpu::kernels

#endif
