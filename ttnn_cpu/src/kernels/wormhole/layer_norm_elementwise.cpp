// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/layer_norm_elementwise.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/simd.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined operands inside its own intrinsics for mistakes (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <immintrin.h>
#endif

namespace ttnn_cpu::kernels::wormhole {
namespace {

std::uint32_t tf32(float value) { return truncate_to_tf32(std::bit_cast<std::uint32_t>(value)); }

// A value of the destination in memory.
float packed(std::uint32_t value, DestWidth dest) {
    return std::bit_cast<float>(
        dest == DestWidth::Bits32 ? value : widen_bf16(pack_bf16_from_dst16(static_cast<std::uint16_t>(value >> 16))));
}

void add_each(DestWidth dest, RowOperand a, RowOperand b, std::uint32_t flip, std::size_t n, float* out) {
    const float same = *b.values;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t y = tf32(b.same ? same : b.values[i]) ^ flip;
        out[i] = packed(fpu_add(tf32(a.values[i]), y, dest), dest);
    }
}

float multiply(const MatrixUnit& unit, float a, float b) {
    return packed(fpu_mul(tf32(a), tf32(b), unit.fidelity, unit.dest), unit.dest);
}

#if defined(__x86_64__)
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i set1(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load(RowOperand operand, std::size_t i, __mmask16 lanes) {
    return operand.same ? set1(std::bit_cast<std::uint32_t>(*operand.values))
                        : _mm512_maskz_loadu_epi32(lanes, operand.values + i);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __mmask16 lanes_of(std::size_t left) {
    return static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i significand(__m512i bits) {
    const __m512i fraction = _mm512_and_si512(_mm512_srli_epi32(bits, 13), set1(0x3FF));
    return _mm512_maskz_or_epi32(_mm512_test_epi32_mask(bits, set1(0x7F800000)), fraction, set1(0x400));
}

// fpu_add on 16 lanes.
TTNN_CPU_AVX512 void add_avx512(RowOperand a, RowOperand b, std::uint32_t flip, std::size_t n, float* out) {
    const __m512i tf32_bits = set1(0xFFFFE000U);
    for (std::size_t i = 0; i < n; i += 16) {
        const __mmask16 lanes = lanes_of(n - i);
        const __m512i x = _mm512_and_si512(load(a, i, lanes), tf32_bits);
        const __m512i y = _mm512_xor_si512(_mm512_and_si512(load(b, i, lanes), tf32_bits), set1(flip));
        const __m512i size = set1(0x7FFFFFFF);
        const __mmask16 swap = _mm512_cmplt_epu32_mask(_mm512_and_si512(x, size), _mm512_and_si512(y, size));
        const __m512i large = _mm512_mask_mov_epi32(x, swap, y);
        const __m512i small = _mm512_mask_mov_epi32(y, swap, x);
        const __m512i large_exp = _mm512_and_si512(_mm512_srli_epi32(large, 23), set1(0xFF));
        const __m512i small_exp = _mm512_and_si512(_mm512_srli_epi32(small, 23), set1(0xFF));
        const __m512i distance = _mm512_min_epu32(_mm512_sub_epi32(large_exp, small_exp), set1(16));
        const __m512i aligned = _mm512_srlv_epi32(
            _mm512_add_epi32(_mm512_slli_epi32(significand(small), 1), _mm512_sllv_epi32(set1(1), distance)),
            _mm512_add_epi32(distance, set1(1)));
        const __m512i full = significand(large);
        const __mmask16 differ = _mm512_movepi32_mask(_mm512_xor_si512(x, y));
        const __m512i total = _mm512_mask_sub_epi32(_mm512_add_epi32(full, aligned), differ, full, aligned);
        const __m512i normalised = _mm512_castps_si512(_mm512_cvtepi32_ps(total));
        const __m512i bits =
            _mm512_add_epi32(normalised, _mm512_slli_epi32(_mm512_sub_epi32(large_exp, set1(137)), 23));
        // An exponent of 255 and above has wrapped into the sign: an infinity.
        const __mmask16 overflow =
            _mm512_cmpge_epi32_mask(_mm512_add_epi32(_mm512_srli_epi32(normalised, 23), large_exp), set1(137 + 255));
        const __mmask16 normal =
            _mm512_test_epi32_mask(total, total) & (overflow | _mm512_cmpge_epi32_mask(bits, set1(1U << 23)));
        const __m512i limited = _mm512_mask_mov_epi32(bits, overflow, set1(0x7F800000));
        const __m512i sign = _mm512_and_si512(large, set1(0x80000000U));
        _mm512_mask_storeu_epi32(out + i, lanes, _mm512_maskz_or_epi32(normal, limited, sign));
    }
}

// The four phases add up to the exact product of 10 by 11 bits, which float32 holds; only near the ends of the exponent
// range does the unit lose something, and there the plain definition answers.
TTNN_CPU_AVX512 void mul_avx512(RowOperand a, RowOperand b, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; i += 16) {
        const __mmask16 lanes = lanes_of(n - i);
        const __m512i x = load(a, i, lanes);
        const __m512i y = load(b, i, lanes);
        const __mmask16 nonzero =
            _mm512_test_epi32_mask(x, set1(0x7F800000)) & _mm512_test_epi32_mask(y, set1(0x7F800000));
        const __m512i product = _mm512_castps_si512(_mm512_mul_ps(
            _mm512_castsi512_ps(_mm512_and_si512(x, set1(0xFFFFC000U))),
            _mm512_castsi512_ps(_mm512_and_si512(y, set1(0xFFFFE000U)))));
        const __m512i exp = _mm512_and_si512(_mm512_srli_epi32(product, 23), set1(0xFF));
        const __mmask16 irregular = nonzero & _mm512_cmpgt_epu32_mask(_mm512_sub_epi32(exp, set1(16)), set1(230));
        if (irregular == 0) [[likely]] {
            _mm512_mask_storeu_epi32(out + i, lanes, _mm512_maskz_mov_epi32(nonzero, product));
            continue;
        }
        const float same = *b.values;
        for (std::size_t lane = i; lane < std::min(n, i + 16); ++lane) {
            out[lane] = multiply({}, a.values[lane], b.same ? same : b.values[lane]);
        }
    }
}
#endif

void add_signed(DestWidth dest, RowOperand a, RowOperand b, std::uint32_t flip, std::size_t n, float* out) {
    if (dest == DestWidth::Bits32 && cpu_has_avx512()) {
        add_avx512(a, b, flip, n, out);
    } else {
        add_each(dest, a, b, flip, n, out);
    }
}

}  // namespace

void elementwise_add(const MatrixUnit& unit, RowOperand a, RowOperand b, std::size_t n, float* out) {
    add_signed(unit.dest, a, b, 0, n, out);
}

void elementwise_sub(const MatrixUnit& unit, RowOperand a, RowOperand b, std::size_t n, float* out) {
    add_signed(unit.dest, a, b, 0x80000000U, n, out);
}

void elementwise_mul(const MatrixUnit& unit, RowOperand a, RowOperand b, std::size_t n, float* out) {
    if (unit.dest == DestWidth::Bits32 && unit.fidelity == Fidelity::HiFi4 && cpu_has_avx512()) {
        mul_avx512(a, b, n, out);
        return;
    }
    const float same = *b.values;
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = multiply(unit, a.values[i], b.same ? same : b.values[i]);
    }
}

}  // namespace ttnn_cpu::kernels::wormhole
