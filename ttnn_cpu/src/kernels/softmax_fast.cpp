// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <bit>
#include <limits>
#include <vector>

#if defined(__x86_64__)
// GCC 12 takes the deliberately undefined operands inside its own intrinsics for mistakes (GCC bug 105593).
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#endif

#include "kernels/formats.hpp"
#include "kernels/simd.hpp"
#include "kernels/softmax.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes = 16;

TTNN_CPU_ALWAYS_INLINE float widen(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

// Scores of a row: x * scale + mask. Past the row, to a whole number of lanes, minus infinity. Returns the largest.
TTNN_CPU_SIMD_CLONES float load_scores(
    const std::uint16_t* in, const std::uint16_t* mask, float scale, std::size_t n, std::size_t padded, float* x) {
    if (mask != nullptr) {
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = widen(in[i]) * scale + widen(mask[i]);
        }
    } else {
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = widen(in[i]) * scale;
        }
    }
    for (std::size_t i = n; i < padded; ++i) {
        x[i] = -std::numeric_limits<float>::infinity();
    }
    float lanes[kLanes];
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
        lanes[lane] = x[lane];
    }
    for (std::size_t i = kLanes; i < padded; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
        }
    }
    float largest = lanes[0];
    for (std::size_t lane = 1; lane < kLanes; ++lane) {
        largest = lanes[lane] > largest ? lanes[lane] : largest;
    }
    return largest;
}

TTNN_CPU_ALWAYS_INLINE float total(float* lanes) {
    for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
        for (std::size_t lane = 0; lane < width; ++lane) {
            lanes[lane] += lanes[lane + width];
        }
    }
    return lanes[0];
}

// The card's quick exponential, within 3 %: the bits of a float32 are nearly the logarithm of its value.
TTNN_CPU_SIMD_CLONES float exp_quick(float* x, std::size_t padded, float largest) {
    float lanes[kLanes] = {};
    for (std::size_t i = 0; i < padded; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            // Adding a half rounds, since what is below zero becomes zero.
            const float place = (x[i + lane] - largest) * 369.3299F + 32501.3184F;
            const float kept = place > 0.0F ? place : 0.0F;
            const float value = std::bit_cast<float>(static_cast<std::int32_t>(kept) << 15);
            x[i + lane] = value;
            lanes[lane] += value;
        }
    }
    return total(lanes);
}

// 2^n times a polynomial of the rest; relative error below 1e-6.
TTNN_CPU_SIMD_CLONES float exp_close(float* x, std::size_t padded, float largest) {
    float lanes[kLanes] = {};
    for (std::size_t i = 0; i < padded; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float given = x[i + lane] - largest;
            const float t = given > -87.0F ? given : -87.0F;
            const std::int32_t whole = static_cast<std::int32_t>(t * 1.44269504F - 0.5F);
            const float r = (t - static_cast<float>(whole) * 0.693359375F) + static_cast<float>(whole) * 2.12194440e-4F;
            const float p =
                1.0F + r * (1.0F + r * (0.5F + r * (0.166666667F +
                                                    r * (0.0416666667F + r * (0.00833333333F + r * 0.00138888889F)))));
            const float power = std::bit_cast<float>((whole + 127) << 23);
            const float value = given > -87.0F ? p * power : 0.0F;
            x[i + lane] = value;
            lanes[lane] += value;
        }
    }
    return total(lanes);
}

// Rounds to nearest: the values are finite and not negative.
TTNN_CPU_SIMD_CLONES void store_scaled(const float* x, float factor, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = static_cast<std::uint16_t>((std::bit_cast<std::uint32_t>(x[i] * factor) + 0x8000U) >> 16);
    }
}

#if defined(__x86_64__)

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __mmask16 first_lanes(std::size_t count) {
    return static_cast<__mmask16>(count >= kLanes ? 0xFFFFU : (1U << count) - 1U);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512 load_wide(__mmask16 valid, const std::uint16_t* from) {
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(valid, from)), 16));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512 quick_lanes(__m512 x) {
    const __m512 place = _mm512_add_ps(_mm512_mul_ps(x, _mm512_set1_ps(369.3299F)), _mm512_set1_ps(32501.3184F));
    // Of a NaN and a zero, max takes the second.
    const __m512 kept = _mm512_max_ps(place, _mm512_setzero_ps());
    return _mm512_castsi512_ps(_mm512_slli_epi32(_mm512_cvttps_epi32(kept), 15));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512 close_lanes(__m512 x) {
    const __m512 lowest = _mm512_set1_ps(-87.0F);
    const __m512 t = _mm512_max_ps(x, lowest);
    const __m512i whole =
        _mm512_cvttps_epi32(_mm512_sub_ps(_mm512_mul_ps(t, _mm512_set1_ps(1.44269504F)), _mm512_set1_ps(0.5F)));
    const __m512 n = _mm512_cvtepi32_ps(whole);
    const __m512 r = _mm512_add_ps(
        _mm512_sub_ps(t, _mm512_mul_ps(n, _mm512_set1_ps(0.693359375F))),
        _mm512_mul_ps(n, _mm512_set1_ps(2.12194440e-4F)));
    __m512 p = _mm512_set1_ps(0.00138888889F);
    for (const float term : {0.00833333333F, 0.0416666667F, 0.166666667F, 0.5F, 1.0F, 1.0F}) {
        p = _mm512_add_ps(_mm512_set1_ps(term), _mm512_mul_ps(r, p));
    }
    const __m512i power = _mm512_slli_epi32(_mm512_add_epi32(whole, _mm512_set1_epi32(127)), 23);
    return _mm512_maskz_mul_ps(_mm512_cmp_ps_mask(x, lowest, _CMP_GT_OQ), p, _mm512_castsi512_ps(power));
}

// The loops above, the same operations in the same order: the same bits, several times as fast.
template <bool kQuick>
TTNN_CPU_AVX512 float exponentials_avx512(
    const std::uint16_t* in, const std::uint16_t* mask, float scale, bool stable, std::size_t n, float* x) {
    const __m512 lowest = _mm512_set1_ps(-std::numeric_limits<float>::infinity());
    const __m512 scales = _mm512_set1_ps(scale);
    __m512 best = lowest;
    for (std::size_t i = 0; i < n; i += kLanes) {
        const __mmask16 valid = first_lanes(n - i);
        __m512 value = _mm512_mul_ps(load_wide(valid, in + i), scales);
        if (mask != nullptr) {
            value = _mm512_add_ps(value, load_wide(valid, mask + i));
        }
        value = _mm512_mask_blend_ps(valid, lowest, value);
        _mm512_storeu_ps(x + i, value);
        best = _mm512_max_ps(value, best);
    }
    const __m512 base = _mm512_set1_ps(stable ? _mm512_reduce_max_ps(best) : 0.0F);
    __m512 sums = _mm512_setzero_ps();
    for (std::size_t i = 0; i < n; i += kLanes) {
        const __m512 given = _mm512_sub_ps(_mm512_loadu_ps(x + i), base);
        const __m512 value = kQuick ? quick_lanes(given) : close_lanes(given);
        _mm512_storeu_ps(x + i, value);
        sums = _mm512_add_ps(sums, value);
    }
    float lanes[kLanes];
    _mm512_storeu_ps(lanes, sums);
    return total(lanes);
}

TTNN_CPU_AVX512 void store_scaled_avx512(const float* x, float factor, std::size_t n, std::uint16_t* out) {
    const __m512 factors = _mm512_set1_ps(factor);
    const __m512i half = _mm512_set1_epi32(0x8000);
    for (std::size_t i = 0; i < n; i += kLanes) {
        const __m512i bits = _mm512_castps_si512(_mm512_mul_ps(_mm512_loadu_ps(x + i), factors));
        const __m256i rounded = _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_add_epi32(bits, half), 16));
        _mm256_mask_storeu_epi16(out + i, first_lanes(n - i), rounded);
    }
}

#endif

float exponentials(
    const SoftmaxSpec& spec, const std::uint16_t* in, const std::uint16_t* mask, float scale, std::size_t padded,
    float* x) {
#if defined(__x86_64__)
    if (cpu_has_avx512()) {
        return spec.exp_approx ? exponentials_avx512<true>(in, mask, scale, spec.numeric_stable, spec.columns, x)
                               : exponentials_avx512<false>(in, mask, scale, spec.numeric_stable, spec.columns, x);
    }
#endif
    const float largest = load_scores(in, mask, scale, spec.columns, padded, x);
    const float base = spec.numeric_stable ? largest : 0.0F;
    return spec.exp_approx ? exp_quick(x, padded, base) : exp_close(x, padded, base);
}

// reciprocal_compat of a bfloat16 from 2^-60 to 2^60: it depends on the fraction alone, the exponent only moves it.
class ReciprocalTable {
public:
    explicit ReciprocalTable(bool approx) {
        for (std::uint32_t fraction = 0; fraction < entries_.size(); ++fraction) {
            entries_[fraction] = reciprocal_compat(std::bit_cast<float>(0x3F800000U | (fraction << 16)), approx);
        }
    }

    float operator()(float x) const {
        const auto bits = std::bit_cast<std::uint32_t>(x);
        const float power = std::bit_cast<float>((254U - (bits >> 23)) << 23);
        return entries_[(bits >> 16) & 0x7FU] * power;
    }

private:
    std::array<float, 128> entries_{};
};

float reciprocal_of_sum(float sum, bool approx) {
    static const ReciprocalTable quick(true);
    static const ReciprocalTable close(false);
    const float rounded = bf16_to_float(bf16_round_away(sum));
    if (rounded > 0x1p-60F && rounded < 0x1p60F) {
        return approx ? quick(rounded) : close(rounded);
    }
    return rounded > 0.0F ? reciprocal_compat(rounded, approx) : 0.0F;
}

void store(const float* x, float factor, std::size_t n, std::uint16_t* out) {
#if defined(__x86_64__)
    if (cpu_has_avx512()) {
        store_scaled_avx512(x, factor, n, out);
        return;
    }
#endif
    store_scaled(x, factor, n, out);
}

}  // namespace

void softmax_rows_fast(const SoftmaxSpec& spec, const SoftmaxRows& data) {
    const std::size_t padded = (spec.columns + kLanes - 1) / kLanes * kLanes;
    const float scale = spec.scale ? bf16_to_float(bf16_truncate(*spec.scale)) : 1.0F;
    thread_local std::vector<float> x;
    x.resize(padded);
    for (std::size_t row = 0; row < data.rows; ++row) {
        const std::uint16_t* mask = data.mask != nullptr ? data.mask + row * data.mask_stride : nullptr;
        const float sum = exponentials(spec, data.in + row * data.in_stride, mask, scale, padded, x.data());
        const float factor = reciprocal_of_sum(sum, spec.reciprocal_approx);
        store(x.data(), factor, spec.columns, data.out + row * data.out_stride);
    }
}

}  // namespace ttnn_cpu::kernels
