// SPDX-License-Identifier: Apache-2.0
#include "kernels/fpu_rows.hpp"
#include "kernels/simd.hpp"

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined operands inside its own intrinsics for mistakes (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>

namespace ttnn_cpu::kernels::avx512 {
namespace {

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i set1(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i set16(std::uint16_t value) {
    return _mm512_set1_epi16(static_cast<short>(value));
}

// Rounds half up on the way: (2v + 2^d) >> (d + 1) is v for d = 0.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i align(__m512i doubled, __m512i distance) {
    return _mm512_srlv_epi32(
        _mm512_add_epi32(doubled, _mm512_sllv_epi32(set1(1), distance)), _mm512_add_epi32(distance, set1(1)));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i max_of_8(__m512i v) {
    v = _mm512_max_epu32(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
    v = _mm512_max_epu32(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB));
    return _mm512_max_epu32(v, _mm512_permutex_epi64(v, 0x4E));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i sum_of_8(__m512i v) {
    v = _mm512_add_epi32(v, _mm512_shuffle_epi32(v, _MM_PERM_BADC));
    v = _mm512_add_epi32(v, _mm512_shuffle_epi32(v, _MM_PERM_CDAB));
    return _mm512_add_epi32(v, _mm512_permutex_epi64(v, 0x4E));
}

// One of 128 table entries for each of 32 lanes, by the low 7 bits of `bits`.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i look_up(const std::uint16_t* table, __m512i bits) {
    const __m512i lower = _mm512_permutex2var_epi16(_mm512_loadu_si512(table), bits, _mm512_loadu_si512(table + 32));
    const __m512i upper =
        _mm512_permutex2var_epi16(_mm512_loadu_si512(table + 64), bits, _mm512_loadu_si512(table + 96));
    return _mm512_mask_mov_epi16(lower, _mm512_test_epi16_mask(bits, set16(0x40)), upper);
}

// What one face row of 16 values contributes: for each group of 8 the largest exponent, and the sums of the products of
// phase 0 (low half) and phase 2 (high half), aligned to it. With a scaler of one the products of phases 1 and 3 are
// zero, and cannot change a sum of values that are not negative.
struct Group {
    alignas(64) std::uint32_t exponent[kRowSumBlock];
    alignas(64) std::uint32_t sums[kRowSumBlock];
};

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void reduce_face(const std::uint16_t* in, Group* groups, std::size_t row) {
    const __m512i bits = _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)));
    const __m512i exp = _mm512_and_si512(_mm512_srli_epi32(bits, 7), set1(0xFF));
    const __m512i largest = max_of_8(exp);
    const __m512i distance = _mm512_min_epu32(_mm512_sub_epi32(largest, exp), set1(30));
    const __mmask16 normal = _mm512_test_epi32_mask(exp, exp);
    const __m512i upper = _mm512_and_si512(_mm512_or_si512(bits, set1(0x80)), set1(0xFE));  // 7 bits, twice
    const __m512i phase0 = align(_mm512_maskz_slli_epi32(normal, upper, 4), distance);
    const __m512i lowest = _mm512_slli_epi32(_mm512_and_si512(bits, set1(1)), 11);
    const __m512i phase2 = align(_mm512_maskz_mov_epi32(normal, lowest), distance);
    const __m512i both = sum_of_8(_mm512_or_si512(phase0, _mm512_slli_epi32(phase2, 16)));
    groups[0].exponent[row] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(largest)));
    groups[1].exponent[row] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(largest, 2)));
    groups[0].sums[row] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_castsi512_si128(both)));
    groups[1].sums[row] = static_cast<std::uint32_t>(_mm_cvtsi128_si32(_mm512_extracti32x4_epi32(both, 2)));
}

// A term of the sum, its significand doubled, moved to the common exponent with its 13 low bits rounded away.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i term(__m512i doubled, __m512i exp, __m512i common) {
    const __m512i aligned = align(doubled, _mm512_min_epu32(_mm512_sub_epi32(common, exp), set1(30)));
    return _mm512_andnot_si512(set1(0x1FFF), _mm512_add_epi32(aligned, set1(1U << 12)));
}

// One MVMUL on 16 rows: destination (bfloat16 in the upper halves) plus two groups.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i accumulate(__m512i destination, const Group* groups, bool low_phase) {
    const __m512i destination_exp = _mm512_srli_epi32(destination, 23);
    const __m512i significand = _mm512_maskz_or_epi32(
        _mm512_test_epi32_mask(destination, destination), _mm512_and_si512(destination, set1(0x7FFFFF)),
        set1(0x800000));
    __m512i exps[2];
    __m512i sums[2];
    for (int i = 0; i < 2; ++i) {
        exps[i] = _mm512_load_si512(groups[i].exponent);
        sums[i] = _mm512_load_si512(groups[i].sums);
        sums[i] = low_phase ? _mm512_srli_epi32(sums[i], 16) : _mm512_and_si512(sums[i], set1(0xFFFF));
        if (low_phase) {
            exps[i] = _mm512_sub_epi32(exps[i], set1(7));
            const __mmask16 positive = _mm512_cmpgt_epi32_mask(exps[i], _mm512_setzero_si512());
            exps[i] = _mm512_maskz_mov_epi32(positive, exps[i]);
            sums[i] = _mm512_maskz_mov_epi32(positive, sums[i]);
        }
    }
    const __m512i common = _mm512_max_epu32(destination_exp, _mm512_max_epu32(exps[0], exps[1]));
    const __m512i kept = term(_mm512_slli_epi32(significand, 1), destination_exp, common);
    const __m512i first = term(_mm512_slli_epi32(sums[0], 14), exps[0], common);
    const __m512i second = term(_mm512_slli_epi32(sums[1], 14), exps[1], common);
    const __m512i total = _mm512_add_epi32(kept, _mm512_add_epi32(first, second));
    // At most 15 significant bits, so the conversion is exact; rounding then leaves 8, ties away from zero.
    const __m512i normalised = _mm512_castps_si512(_mm512_cvtepi32_ps(total));
    const __m512i rounded = _mm512_andnot_si512(set1(0xFFFF), _mm512_add_epi32(normalised, set1(0x8000)));
    const __m512i result = _mm512_add_epi32(rounded, _mm512_slli_epi32(_mm512_sub_epi32(common, set1(150)), 23));
    const __m512i exponent = _mm512_add_epi32(_mm512_srli_epi32(rounded, 23), _mm512_sub_epi32(common, set1(150)));
    const __mmask16 normal =
        _mm512_test_epi32_mask(total, total) & _mm512_cmpgt_epi32_mask(exponent, _mm512_setzero_si512());
    const __mmask16 overflow = normal & _mm512_cmpgt_epi32_mask(exponent, set1(254));
    return _mm512_mask_mov_epi32(_mm512_maskz_mov_epi32(normal, result), overflow, set1(0x7F800000));
}

}  // namespace

TTNN_CPU_AVX512 void fpu_row_sums_bf16(
    const std::uint16_t* in, std::size_t stride, std::size_t rows, std::size_t columns, std::uint16_t* sums) {
    Group groups[4] = {};  // two faces, two groups each
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t tile = 0; tile < columns; tile += 32) {
        for (std::size_t row = 0; row < rows; ++row) {
            reduce_face(in + row * stride + tile, groups, row);
            reduce_face(in + row * stride + tile + 16, groups + 2, row);
        }
        sum = accumulate(sum, groups, false);
        sum = accumulate(sum, groups + 2, false);
        sum = accumulate(sum, groups, true);
        sum = accumulate(sum, groups + 2, true);
    }
    const auto lanes = static_cast<__mmask16>((1U << rows) - 1U);
    _mm512_mask_cvtepi32_storeu_epi16(sums, lanes, _mm512_srli_epi32(sum, 16));
}

TTNN_CPU_AVX512 void fpu_scale_bf16(
    ProductRows table, const std::uint16_t* in, std::uint16_t b, std::size_t n, std::uint16_t* out) {
    const int exp_b = (b >> 7) & 0xFF;
    const __m512i offset = _mm512_set1_epi16(static_cast<short>(exp_b - 127));
    for (std::size_t i = 0; i < n; i += 32) {
        const __mmask32 lanes = n - i >= 32 ? 0xFFFFFFFFU : (1U << (n - i)) - 1U;
        const __m512i a = _mm512_maskz_loadu_epi16(lanes, in + i);
        const __m512i exp_a = _mm512_and_si512(_mm512_srli_epi16(a, 7), set16(0xFF));
        const __m512i exp = _mm512_add_epi16(exp_a, offset);
        const __mmask32 normal = exp_b == 0 ? 0U : _mm512_test_epi16_mask(exp_a, exp_a);
        const __m512i sign = _mm512_and_si512(_mm512_xor_si512(a, set16(b)), set16(0x8000));
        __m512i entry = look_up(table.positive, a);
        if (const __mmask32 negative = _mm512_movepi16_mask(sign); negative != 0) {
            entry = _mm512_mask_mov_epi16(entry, negative, look_up(table.negative, a));
        }
        const __m512i value = _mm512_or_si512(_mm512_add_epi16(_mm512_slli_epi16(exp, 7), entry), sign);
        const __m512i result = _mm512_maskz_mov_epi16(normal, value);
        // Out of the table's range: a phase that underflows, or a result that may overflow.
        const __mmask32 irregular =
            normal & (_mm512_cmplt_epi16_mask(exp, set16(14)) | _mm512_cmpgt_epi16_mask(exp, set16(252)));
        _mm512_mask_storeu_epi16(out + i, lanes & ~irregular, result);
        for (std::uint32_t left = irregular & lanes; left != 0; left &= left - 1) {
            const auto lane = static_cast<std::size_t>(__builtin_ctz(left));
            out[i + lane] = fpu_mul_bf16(in[i + lane], b);
        }
    }
}

}  // namespace ttnn_cpu::kernels::avx512
#endif
