// SPDX-License-Identifier: Apache-2.0
#pragma once

// The device's block floats in registers, two groups of 16 at a time: for the files that hold AVX-512 code.
#include "kernels/simd.hpp"

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined operands inside its own intrinsics for mistakes (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

namespace ttnn_cpu::kernels::avx512 {

// The largest of 16 numbers, in every lane.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m256i largest_of_group(__m128i most) {
    // The instruction finds the smallest of 8.
    const __m128i ones = _mm_set1_epi16(-1);
    return _mm256_broadcastw_epi16(_mm_xor_si128(_mm_minpos_epu16(_mm_xor_si128(most, ones)), ones));
}

// The low halves of the lanes that are set. Where all are: a narrowing store with a mask takes many times as long on some CPUs.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void store_low_halves(__m512i values, __mmask16 lanes, std::uint16_t* out) {
    const __m256i halves = _mm512_cvtepi32_epi16(values);
    lanes == 0xFFFFU ? _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), halves)
                     : _mm256_mask_storeu_epi16(out, lanes, halves);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i set16(std::uint16_t value) {
    return _mm512_set1_epi16(static_cast<short>(value));
}

// raw: the upper 16 bits of the destination values of two groups.
template <int kBits, bool kPrecise>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i device_codes(__m512i raw, std::uint8_t* exponents, bool both) {
    const __m512i magnitude = _mm512_min_epu16(_mm512_and_si512(raw, set16(0x7FFF)), set16(0x7F80));
    const __m512i signed_bits = _mm512_or_si512(magnitude, _mm512_and_si512(raw, set16(0x8000)));
    __m512i bits = _mm512_maskz_mov_epi16(_mm512_cmpge_epu16_mask(magnitude, set16(0x80)), signed_bits);
    if constexpr (!kPrecise) {
        bits = _mm512_and_si512(_mm512_add_epi16(bits, set16(1)), set16(0xFFFE));
    }
    const __m512i exp = _mm512_and_si512(_mm512_srli_epi16(bits, 7), set16(0xFF));
    const __m512i most = _mm512_max_epu16(exp, _mm512_shuffle_i64x2(exp, exp, 0xB1));
    const __m256i first = largest_of_group(_mm512_castsi512_si128(most));
    const __m256i second = largest_of_group(_mm512_extracti64x2_epi64(most, 2));
    exponents[0] = static_cast<std::uint8_t>(_mm256_extract_epi16(first, 0));
    if (both) {
        exponents[1] = static_cast<std::uint8_t>(_mm256_extract_epi16(second, 0));
    }
    const __m512i largest = _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
    const __m512i significand = _mm512_maskz_mov_epi16(
        _mm512_test_epi16_mask(exp, exp), _mm512_or_si512(_mm512_and_si512(bits, set16(0x7F)), set16(0x80)));
    // A shift by 8 leaves nothing, and so do all above.
    const __m512i shift = _mm512_min_epu16(_mm512_sub_epi16(largest, exp), set16(8));
    const __m512i half = _mm512_sllv_epi16(set16(1), shift);
    const __m512i rounded = _mm512_srlv_epi16(_mm512_add_epi16(significand, half), _mm512_add_epi16(shift, set16(1)));
    const __m512i kept = _mm512_srli_epi16(_mm512_min_epu16(rounded, set16(127)), 7 - kBits);
    const __m512i sign = _mm512_slli_epi16(_mm512_srli_epi16(bits, 15), kBits);
    return _mm512_or_si512(kept, _mm512_maskz_mov_epi16(_mm512_test_epi16_mask(kept, kept), sign));
}

// Codes of one or two groups.
template <int kBits>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void store_codes(__m512i codes, bool both, std::uint8_t* out) {
    if constexpr (kBits == 7) {
        const __m256i bytes = _mm512_cvtepi16_epi8(codes);
        both ? _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), bytes)
             : _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(bytes));
    } else {
        const __m128i nibbles = _mm512_cvtepi32_epi8(_mm512_or_si512(codes, _mm512_srli_epi32(codes, 12)));
        both ? _mm_storeu_si128(reinterpret_cast<__m128i*>(out), nibbles)
             : _mm_storel_epi64(reinterpret_cast<__m128i*>(out), nibbles);
    }
}

}  // namespace ttnn_cpu::kernels::avx512
#endif
