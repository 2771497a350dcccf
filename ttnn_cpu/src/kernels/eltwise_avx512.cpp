// SPDX-License-Identifier: Apache-2.0
#include "kernels/eltwise_avx512.hpp"

#include "kernels/formats_avx512.hpp"

#if defined(__x86_64__)

namespace ttnn_cpu::kernels::avx512 {
namespace {

constexpr std::size_t kLanes = 16;

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i set1(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load(Bf16Operand operand, std::size_t i, __mmask16 lanes) {
    if (operand.same) {
        return set1(*operand.values);
    }
    return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(lanes, operand.values + i));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i exponent(__m512i bits) {
    return _mm512_and_si512(_mm512_srli_epi32(bits, 7), set1(0xFF));
}

// Hidden bit, 7 fraction bits and 3 zeros; zero for a zero or denormal.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i significand11(__m512i bits, __m512i exp) {
    const __m512i full = _mm512_or_si512(_mm512_slli_epi32(_mm512_and_si512(bits, set1(0x7F)), 3), set1(0x400));
    return _mm512_maskz_mov_epi32(_mm512_test_epi32_mask(exp, exp), full);
}

// The matrix unit's sum: see wormhole::fpu_add. Operands in the low halves of the lanes.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i sum(__m512i a, __m512i b) {
    const __m512i size_a = _mm512_and_si512(a, set1(0x7FFF));
    const __m512i size_b = _mm512_and_si512(b, set1(0x7FFF));
    const __mmask16 swap = _mm512_cmplt_epu32_mask(size_a, size_b);
    const __m512i large = _mm512_mask_mov_epi32(a, swap, b);
    const __m512i large_exp = exponent(large);
    const __m512i small = _mm512_mask_mov_epi32(b, swap, a);
    const __m512i small_exp = exponent(small);
    const __m512i distance = _mm512_min_epu32(_mm512_sub_epi32(large_exp, small_exp), set1(16));
    // (2s + 2^d) >> (d + 1) shifts by d and rounds half up, for d = 0 too.
    const __m512i doubled = _mm512_slli_epi32(significand11(small, small_exp), 1);
    const __m512i aligned = _mm512_srlv_epi32(
        _mm512_add_epi32(doubled, _mm512_sllv_epi32(set1(1), distance)), _mm512_add_epi32(distance, set1(1)));
    const __m512i full = significand11(large, large_exp);
    const __mmask16 differ = _mm512_test_epi32_mask(_mm512_xor_si512(a, b), set1(0x8000));
    const __m512i total = _mm512_mask_sub_epi32(_mm512_add_epi32(full, aligned), differ, full, aligned);
    // As a float the sum is normalised; half of the 8-bit significand's last place rounds it away from zero.
    const __m512i normalised = _mm512_add_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(total)), set1(0x8000));
    const __m512i shifted = _mm512_add_epi32(
        _mm512_srai_epi32(normalised, 16), _mm512_slli_epi32(_mm512_sub_epi32(large_exp, set1(137)), 7));
    const __m512i limited = _mm512_min_epi32(shifted, set1(0x7F80));
    const __mmask16 normal = _mm512_test_epi32_mask(total, total) & _mm512_cmpge_epi32_mask(shifted, set1(0x80));
    return _mm512_maskz_or_epi32(normal, limited, _mm512_and_si512(large, set1(0x8000)));
}

// The same in float arithmetic, for operands away from the ends of the exponent range; *irregular tells of others. 1.5
// times 2^13 times the larger power of two has a last place of 10 fraction bits, so adding it and taking it off again
// rounds to those; the extra low bit makes ties go away from zero. Two zeros, common after a ReLU, come out as one.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i quick_sum(__m512i a, __m512i b, __mmask16* irregular) {
    const __m512i x = _mm512_slli_epi32(a, 16);
    const __m512i y = _mm512_slli_epi32(b, 16);
    const __m512i size = _mm512_max_epu32(_mm512_and_si512(x, set1(0x7FFFFFFF)), _mm512_and_si512(y, set1(0x7FFFFFFF)));
    const __m512i largest = _mm512_and_si512(size, set1(0x7F800000));
    *irregular = _mm512_mask_cmpgt_epu32_mask(
        _mm512_test_epi32_mask(largest, largest), _mm512_sub_epi32(largest, set1(24U << 23)), set1((240U - 24U) << 23));
    const __m512 magic = _mm512_castsi512_ps(_mm512_add_epi32(largest, set1((13U << 23) + 0x400000U)));
    const __m512 p = _mm512_castsi512_ps(_mm512_or_si512(x, set1(1)));
    const __m512 q = _mm512_castsi512_ps(_mm512_or_si512(y, set1(1)));
    const __m512 total =
        _mm512_add_ps(_mm512_sub_ps(_mm512_add_ps(p, magic), magic), _mm512_sub_ps(_mm512_add_ps(q, magic), magic));
    return _mm512_srli_epi32(_mm512_add_epi32(_mm512_castps_si512(total), set1(0x8000)), 16);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i round_even(__m512i float_bits) {
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(float_bits, 16), set1(1));
    return _mm512_srli_epi32(_mm512_add_epi32(float_bits, _mm512_add_epi32(odd, set1(0x7FFF))), 16);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512 magnitude_float(__m512i bits) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_and_si512(bits, set1(0x7FFF)), 16));
}

// Exact in float32, then rounded to nearest even; zero times anything is zero.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i product(__m512i a, __m512i b) {
    const __m512i bits = _mm512_castps_si512(_mm512_mul_ps(magnitude_float(a), magnitude_float(b)));
    const __m512i rounded = _mm512_min_epu32(round_even(bits), set1(0x7F80));
    const __mmask16 normal = _mm512_cmpge_epu32_mask(bits, set1(0x800000)) & _mm512_test_epi32_mask(a, set1(0x7F80)) &
                             _mm512_test_epi32_mask(b, set1(0x7F80));
    return _mm512_maskz_or_epi32(normal, rounded, _mm512_and_si512(_mm512_xor_si512(a, b), set1(0x8000)));
}

// Division proper gives the same bfloat16 as the product with the unit's reciprocal, for every pair of significands
// (tested); near the ends of the exponent range it does not, and `irregular` tells so.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i quotient(__m512i a, __m512i b, __mmask16* irregular) {
    const __m512i exp_a = exponent(a);
    const __m512i exp_b = exponent(b);
    const __m512i exp = _mm512_sub_epi32(exp_a, exp_b);
    const __mmask16 zero = _mm512_testn_epi32_mask(exp_a, exp_a);
    const __mmask16 far = _mm512_cmpgt_epi32_mask(_mm512_abs_epi32(exp), set1(120)) & ~zero;
    *irregular = static_cast<__mmask16>(
        far | _mm512_testn_epi32_mask(exp_b, exp_b) | _mm512_cmpgt_epi32_mask(exp_b, set1(250)) |
        _mm512_cmpeq_epi32_mask(exp_a, set1(255)));
    const __m512i bits = _mm512_castps_si512(_mm512_div_ps(magnitude_float(a), magnitude_float(b)));
    const __m512i sign = _mm512_and_si512(_mm512_xor_si512(a, b), set1(0x8000));
    return _mm512_maskz_or_epi32(static_cast<__mmask16>(~zero), round_even(bits), sign);
}

template <BinaryFunction kFunction>
TTNN_CPU_AVX512 void each(Bf16Operand a, Bf16Operand b, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; i += kLanes) {
        const auto lanes = static_cast<__mmask16>(n - i >= kLanes ? 0xFFFFU : (1U << (n - i)) - 1U);
        const __m512i x = load(a, i, lanes);
        const __m512i y = load(b, i, lanes);
        __m512i result;
        if constexpr (kFunction == BinaryFunction::Add || kFunction == BinaryFunction::Sub) {
            const __m512i z = kFunction == BinaryFunction::Add ? y : _mm512_xor_si512(y, set1(0x8000));
            __mmask16 irregular = 0;
            result = quick_sum(x, z, &irregular);
            if (irregular != 0) [[unlikely]] {
                result = sum(x, z);
            }
        } else if constexpr (kFunction == BinaryFunction::Mul) {
            result = product(x, y);
        } else {
            __mmask16 irregular = 0;
            result = quotient(x, y, &irregular);
            if ((irregular & lanes) != 0) [[unlikely]] {
                alignas(64) std::uint32_t as[kLanes];
                alignas(64) std::uint32_t bs[kLanes];
                alignas(64) std::uint32_t results[kLanes];
                _mm512_store_si512(as, x);
                _mm512_store_si512(bs, y);
                _mm512_store_si512(results, result);
                for (std::size_t lane = 0; lane < kLanes; ++lane) {
                    if (((irregular >> lane) & 1) != 0) {
                        results[lane] = kernels::binary_bf16(
                            kFunction, static_cast<std::uint16_t>(as[lane]), static_cast<std::uint16_t>(bs[lane]));
                    }
                }
                result = _mm512_load_si512(results);
            }
        }
        store_low_halves(result, lanes, out + i);
    }
}

}  // namespace

void binary_bf16(BinaryFunction function, Bf16Operand a, Bf16Operand b, std::size_t n, std::uint16_t* out) {
    switch (function) {
        case BinaryFunction::Add:
            each<BinaryFunction::Add>(a, b, n, out);
            break;
        case BinaryFunction::Sub:
            each<BinaryFunction::Sub>(a, b, n, out);
            break;
        case BinaryFunction::Mul:
            each<BinaryFunction::Mul>(a, b, n, out);
            break;
        case BinaryFunction::Div:
            each<BinaryFunction::Div>(a, b, n, out);
            break;
    }
}

}  // namespace ttnn_cpu::kernels::avx512
#endif
