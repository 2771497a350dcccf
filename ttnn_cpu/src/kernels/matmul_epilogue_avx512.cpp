// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul_epilogue_avx512.hpp"

#if defined(__x86_64__)

namespace ttnn_cpu::kernels {
namespace {

template <bool kBias, bool kTable, bool kClamp>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i
finish32(const float* sums, const RowSteps& steps, std::size_t i, bool both) {
    const __m512i first = avx512::finish16<kBias, kTable>(_mm512_loadu_ps(sums + i), steps, i);
    const __m512i second =
        both ? avx512::finish16<kBias, kTable>(_mm512_loadu_ps(sums + i + 16), steps, i + 16) : _mm512_setzero_si512();
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

}  // namespace

void finish_row_avx512(const float* sums, const RowSteps& steps, std::size_t n, std::uint16_t* out) {
    avx512::with_steps(
        steps, [&]<bool kBias, bool kTable, bool kClamp>() { finish<kBias, kTable, kClamp>(sums, steps, n, out); });
}

void finish_rows_avx512(
    const float* sums, std::size_t rows, std::size_t stride, const RowSteps& steps, std::size_t n, std::uint16_t* out,
    std::size_t out_stride) {
    avx512::with_steps(steps, [&]<bool kBias, bool kTable, bool kClamp>() {
        for (std::size_t row = 0; row < rows; ++row) {
            finish<kBias, kTable, kClamp>(sums + row * stride, steps, n, out + row * out_stride);
        }
    });
}

void finish_rows_packed_avx512(
    const float* sums, std::size_t rows, std::size_t stride, const RowSteps& steps, std::size_t n,
    const OperandPlanes& out, std::size_t out_stride) {
    avx512::with_steps(steps, [&]<bool kBias, bool kTable, bool kClamp>() {
        for (std::size_t row = 0; row < rows; ++row) {
            finish_packed<7, kBias, kTable, kClamp>(
                sums + row * stride, steps, n, out.values + row * out_stride, out.exponents + row * out_stride / 16);
        }
    });
}

void finish_row_packed_avx512(
    const float* sums, const RowSteps& steps, std::size_t n, int bits, std::uint8_t* codes, std::uint8_t* exponents) {
    avx512::with_steps(steps, [&]<bool kBias, bool kTable, bool kClamp>() {
        bits == 7 ? finish_packed<7, kBias, kTable, kClamp>(sums, steps, n, codes, exponents)
                  : finish_packed<3, kBias, kTable, kClamp>(sums, steps, n, codes, exponents);
    });
}

}  // namespace ttnn_cpu::kernels

#endif
