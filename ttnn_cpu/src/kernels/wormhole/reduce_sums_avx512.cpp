// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "kernels/wormhole/reduce_sums.hpp"

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined operands inside its own intrinsics for mistakes (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>

#include <bit>

#define TTNN_CPU_AVX512CD __attribute__((target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,fma")))

namespace ttnn_cpu::kernels::wormhole {
namespace {

#define TTNN_CPU_INLINE TTNN_CPU_AVX512CD TTNN_CPU_ALWAYS_INLINE

constexpr int kPhases = 4;

TTNN_CPU_INLINE __m512i set1(std::uint32_t value) { return _mm512_set1_epi32(static_cast<int>(value)); }

// (2v + 2^d) >> (d + 1): v >> d rounded half up, for d = 0 too.
TTNN_CPU_INLINE __m512i align(__m512i value, __m512i distance) {
    return _mm512_srlv_epi32(
        _mm512_add_epi32(_mm512_slli_epi32(value, 1), _mm512_sllv_epi32(set1(1), distance)),
        _mm512_add_epi32(distance, set1(1)));
}

TTNN_CPU_INLINE __m512i exponent(__m512i bits) { return _mm512_and_si512(_mm512_srli_epi32(bits, 23), set1(0xFF)); }

// Hidden bit and 10 fraction bits; zero for a zero.
TTNN_CPU_INLINE __m512i significand(__m512i bits, __m512i exp) {
    const __m512i fraction = _mm512_and_si512(_mm512_srli_epi32(bits, 13), set1(0x3FF));
    return _mm512_maskz_or_epi32(_mm512_test_epi32_mask(exp, exp), fraction, set1(0x400));
}

TTNN_CPU_INLINE __m512i with_sign(__m512i magnitude, __m512i sign_bits) {
    return _mm512_mask_sub_epi32(magnitude, _mm512_movepi32_mask(sign_bits), _mm512_setzero_si512(), magnitude);
}

// A group of 8 products in each lane: the largest exponent (of phase 0, biased) and the signed sums of each phase.
struct Group {
    __m512i exp;
    __m512i sums[kPhases];
};

// The bits of each operand that a phase uses: SrcA 5 at a time, SrcB 7 and then 4.
struct Parts {
    std::uint32_t a[2];
    std::uint32_t b[2];
};

Parts scaler_parts(float scaler) {
    const auto bits = std::bit_cast<std::uint32_t>(scaler);
    const std::uint32_t full = (bits & 0x7F800000U) == 0 ? 0U : 0x400U | ((bits >> 13) & 0x3FFU);
    return {{full >> 6, (full >> 1) & 31U}, {full >> 4, (full & 15U) << 3}};
}

int phase_exponent(int phase) { return ((phase & 1) != 0 ? 5 : 0) + ((phase & 2) != 0 ? 7 : 0); }

// A signed term moved to the common exponent. A negative one rounds its ties towards zero.
TTNN_CPU_INLINE __m512i term(__m512i sum, __m512i exp, __m512i common) {
    const __mmask16 negative = _mm512_movepi32_mask(sum);
    const __m512i magnitude = _mm512_slli_epi32(_mm512_abs_epi32(sum), 13);
    const __m512i distance = _mm512_min_epu32(_mm512_sub_epi32(common, exp), set1(30));
    const __mmask16 moved = _mm512_test_epi32_mask(distance, distance);
    const __m512i biased = _mm512_mask_sub_epi32(magnitude, negative & moved, magnitude, set1(1));
    // A zero term minus one would borrow: it stays zero.
    const __m512i aligned = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(sum, sum), align(biased, distance));
    return _mm512_mask_sub_epi32(aligned, negative, _mm512_setzero_si512(), aligned);
}

// One MVMUL in each lane on a 32-bit destination.
TTNN_CPU_INLINE __m512i accumulate(__m512i destination, const Group& first, const Group& second, int phase) {
    const __m512i zero = _mm512_setzero_si512();
    const __m512i drop = set1(static_cast<std::uint32_t>(phase_exponent(phase)));
    const __m512i exp0 = _mm512_max_epi32(_mm512_sub_epi32(first.exp, drop), zero);
    const __m512i exp1 = _mm512_max_epi32(_mm512_sub_epi32(second.exp, drop), zero);
    const __m512i sum0 = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(exp0, exp0), first.sums[phase]);
    const __m512i sum1 = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(exp1, exp1), second.sums[phase]);
    const __m512i destination_exp = exponent(destination);
    const __m512i kept = _mm512_maskz_or_epi32(
        _mm512_test_epi32_mask(destination_exp, destination_exp), _mm512_and_si512(destination, set1(0x7FFFFF)),
        set1(0x800000));
    const __m512i common = _mm512_max_epi32(destination_exp, _mm512_max_epi32(exp0, exp1));
    const __m512i kept_aligned =
        with_sign(align(kept, _mm512_min_epu32(_mm512_sub_epi32(common, destination_exp), set1(30))), destination);
    const __m512i total =
        _mm512_add_epi32(kept_aligned, _mm512_add_epi32(term(sum0, exp0, common), term(sum1, exp1, common)));

    const __m512i magnitude = _mm512_abs_epi32(total);
    const __m512i left = _mm512_sub_epi32(_mm512_lzcnt_epi32(magnitude), set1(8));
    const __m512i shifted = _mm512_sllv_epi32(magnitude, _mm512_max_epi32(left, zero));
    const __m512i normalised = align(shifted, _mm512_max_epi32(_mm512_sub_epi32(zero, left), zero));
    const __m512i exp = _mm512_add_epi32(_mm512_sub_epi32(common, left), _mm512_srli_epi32(normalised, 24));
    const __m512i sign = _mm512_and_si512(total, set1(0x80000000U));
    const __m512i packed = _mm512_or_si512(_mm512_slli_epi32(exp, 23), _mm512_and_si512(normalised, set1(0x7FFFFF)));
    const __mmask16 overflow = _mm512_cmpge_epi32_mask(exp, set1(255));
    const __mmask16 valid = _mm512_test_epi32_mask(total, total) & _mm512_cmpgt_epi32_mask(exp, zero);
    __m512i result = _mm512_maskz_or_epi32(valid, _mm512_mask_mov_epi32(packed, overflow, set1(0x7F800000)), sign);
    // The unit miscounts the leading bits of a sum of minus one: it comes out as minus 2^27 of itself.
    const __mmask16 minus_one = _mm512_cmpeq_epi32_mask(total, set1(0xFFFFFFFFU));
    if (minus_one != 0) [[unlikely]] {
        const __m512i wrong = _mm512_add_epi32(common, set1(4));
        const __m512i limited = _mm512_min_epi32(wrong, set1(255));
        result = _mm512_mask_or_epi32(result, minus_one, _mm512_slli_epi32(limited, 23), set1(0x80000000U));
    }
    return result;
}

// 8 values in each lane, one register each, against the scaler's parts. kScalerIsA: a row reduction (the data sits in
// SrcB).
template <bool kScalerIsA>
TTNN_CPU_INLINE Group reduce_group(const __m512i* values, const Parts& parts, int phases, __m512i scaler_exp) {
    Group group;
    const __m512i zero = _mm512_setzero_si512();
    __m512i largest = zero;
    for (int i = 0; i < 8; ++i) {
        largest = _mm512_max_epu32(largest, exponent(values[i]));
    }
    for (__m512i& sum : group.sums) {
        sum = zero;
    }
    for (int i = 0; i < 8; ++i) {
        const __m512i exp = exponent(values[i]);
        const __m512i full = significand(values[i], exp);
        const __m512i distance = _mm512_min_epu32(_mm512_sub_epi32(largest, exp), set1(30));
        for (int phase = 0; phase < phases; ++phase) {
            const std::uint32_t scaler = kScalerIsA ? parts.a[phase & 1] : parts.b[phase >> 1];
            if (scaler == 0) {
                continue;
            }
            __m512i part;
            if constexpr (kScalerIsA) {
                part = (phase & 2) != 0 ? _mm512_slli_epi32(_mm512_and_si512(full, set1(15)), 3)
                                        : _mm512_srli_epi32(full, 4);
            } else {
                part = (phase & 1) != 0 ? _mm512_and_si512(_mm512_srli_epi32(full, 1), set1(31))
                                        : _mm512_srli_epi32(full, 6);
            }
            const __m512i product = align(_mm512_mullo_epi32(part, set1(scaler)), distance);
            group.sums[phase] = _mm512_add_epi32(group.sums[phase], with_sign(product, values[i]));
        }
    }
    // A zero operand has no exponent; all zero means no term.
    const __m512i product_exp = _mm512_sub_epi32(_mm512_add_epi32(largest, scaler_exp), set1(127));
    group.exp = _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(largest, largest), product_exp);
    return group;
}

TTNN_CPU_INLINE void apply_scaler_sign(Group* group, bool negative) {
    if (negative) {
        for (__m512i& sum : group->sums) {
            sum = _mm512_sub_epi32(_mm512_setzero_si512(), sum);
        }
    }
}

}  // namespace

TTNN_CPU_AVX512CD void sum_rows_avx512(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    const Parts parts = scaler_parts(spec.scaler);
    const auto scaler_bits = std::bit_cast<std::uint32_t>(spec.scaler);
    const __m512i scaler_exp = set1((scaler_bits >> 23) & 0xFFU);
    const int phases = static_cast<int>(spec.fidelity);
    const auto lanes = static_cast<__mmask16>(rows >= kSumLanes ? 0xFFFFU : (1U << rows) - 1U);
    const __m512i index = _mm512_mullo_epi32(
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
        set1(static_cast<std::uint32_t>(stride)));
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t tile = 0; tile < columns; tile += 32) {
        Group groups[4];
        for (int g = 0; g < 4; ++g) {
            __m512i values[8];
            for (int i = 0; i < 8; ++i) {
                values[i] = _mm512_mask_i32gather_epi32(
                    _mm512_setzero_si512(), lanes, index, in + tile + static_cast<std::size_t>(g * 8 + i), 4);
            }
            groups[g] = reduce_group<true>(values, parts, phases, scaler_exp);
            apply_scaler_sign(&groups[g], (scaler_bits >> 31) != 0);
        }
        for (int phase = 0; phase < phases; ++phase) {
            sum = accumulate(sum, groups[0], groups[1], phase);
            sum = accumulate(sum, groups[2], groups[3], phase);
        }
    }
    _mm512_mask_storeu_epi32(sums, lanes, sum);
}

TTNN_CPU_AVX512CD void sum_columns_avx512(
    const SumSpec& spec, const float* in, std::size_t stride, std::size_t rows, std::size_t columns, float* sums) {
    const Parts parts = scaler_parts(spec.scaler);
    const auto scaler_bits = std::bit_cast<std::uint32_t>(spec.scaler);
    const __m512i scaler_exp = set1((scaler_bits >> 23) & 0xFFU);
    const int phases = static_cast<int>(spec.fidelity);
    const auto lanes = static_cast<__mmask16>(columns >= kSumLanes ? 0xFFFFU : (1U << columns) - 1U);
    __m512i sum = _mm512_setzero_si512();
    for (std::size_t face = 0; face < rows; face += 16) {
        Group groups[2];
        for (std::size_t g = 0; g < 2; ++g) {
            __m512i values[8];
            for (std::size_t i = 0; i < 8; ++i) {
                const std::size_t row = face + g * 8 + i;
                values[i] = row < rows ? _mm512_maskz_loadu_epi32(lanes, in + row * stride) : _mm512_setzero_si512();
            }
            groups[g] = reduce_group<false>(values, parts, phases, scaler_exp);
            apply_scaler_sign(&groups[g], (scaler_bits >> 31) != 0);
        }
        for (int phase = 0; phase < phases; ++phase) {
            sum = accumulate(sum, groups[0], groups[1], phase);
        }
    }
    _mm512_mask_storeu_epi32(sums, lanes, sum);
}

}  // namespace ttnn_cpu::kernels::wormhole
#endif
