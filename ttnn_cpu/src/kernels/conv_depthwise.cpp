// SPDX-License-Identifier: Apache-2.0
#include "kernels/conv_depthwise.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/simd.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ttnn_cpu::kernels {
namespace {

// Of an output row: pixels [first, last) see no padding to their left and right.
struct Inner {
    std::size_t first;
    std::size_t last;
};

Inner inner(const ConvPrimitiveSpec& spec) {
    const std::size_t reach = spec.dilation_w * (spec.kernel_w - 1) + 1;
    const std::size_t first = std::min(spec.out_w(), (spec.pad_left + spec.stride_w - 1) / spec.stride_w);
    const std::size_t fits =
        spec.in_w + spec.pad_left < reach ? 0 : (spec.in_w + spec.pad_left - reach) / spec.stride_w + 1;
    return {first, std::max(first, std::min(spec.out_w(), fits))};
}

TTNN_CPU_SIMD_CLONES
void multiply_add(const float* in, const float* weights, std::size_t channels, float* sums) {
    for (std::size_t c = 0; c < channels; ++c) {
        sums[c] = std::fma(in[c], weights[c], sums[c]);
    }
}

// Any pixel: taps in the padding are left out.
void one_pixel(
    const ConvPrimitiveSpec& spec, const float* in, const float* weights, std::size_t y, std::size_t x, float* out) {
    const std::size_t channels = spec.in_channels;
    std::fill_n(out, channels, 0.0F);
    for (std::size_t h = 0; h < spec.kernel_h; ++h) {
        const float* const row = in + (y * spec.stride_h + h * spec.dilation_h) * spec.in_w * channels;
        for (std::size_t w = 0; w < spec.kernel_w; ++w) {
            // Wraps around in front of the row.
            const std::size_t in_x = x * spec.stride_w + w * spec.dilation_w - spec.pad_left;
            if (in_x < spec.in_w) {
                multiply_add(row + in_x * channels, weights + (h * spec.kernel_w + w) * channels, channels, out);
            }
        }
    }
}

#if defined(__x86_64__)

constexpr std::size_t kLanes = 16;
constexpr std::size_t kPixels = 4;  // at once, to hide the latency of an addition
constexpr std::size_t kMostTaps = 25;

// The distance of each tap of the window from its first, in floats.
struct Taps {
    std::size_t count = 0;
    std::size_t offset[kMostTaps] = {};
};

Taps taps_of(const ConvPrimitiveSpec& spec) {
    Taps taps;
    for (std::size_t h = 0; h < spec.kernel_h; ++h) {
        for (std::size_t w = 0; w < spec.kernel_w; ++w) {
            taps.offset[taps.count++] = (h * spec.dilation_h * spec.in_w + w * spec.dilation_w) * spec.in_channels;
        }
    }
    return taps;
}

// kTaps: how many taps stay in registers for all pixels; 0: any number, read anew for each.
template <std::size_t kTaps>
TTNN_CPU_AVX512 void row_of_group(
    const Taps& taps, const float* in, std::size_t step, const float* weights, std::size_t stride, __mmask16 lanes,
    std::size_t pixels, float* out) {
    __m512 kept[kTaps == 0 ? 1 : kTaps];
    for (std::size_t tap = 0; tap < kTaps; ++tap) {
        kept[tap] = _mm512_maskz_loadu_ps(lanes, weights + tap * stride);
    }
    const std::size_t count = kTaps == 0 ? taps.count : kTaps;
    std::size_t x = 0;
    for (; x + kPixels <= pixels; x += kPixels) {
        __m512 sums[kPixels];
        for (auto& sum : sums) {
            sum = _mm512_setzero_ps();
        }
        for (std::size_t tap = 0; tap < count; ++tap) {
            const __m512 weight = kTaps == 0 ? _mm512_maskz_loadu_ps(lanes, weights + tap * stride) : kept[tap];
            const float* const from = in + x * step + taps.offset[tap];
            for (std::size_t i = 0; i < kPixels; ++i) {
                sums[i] = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(lanes, from + i * step), weight, sums[i]);
            }
        }
        for (std::size_t i = 0; i < kPixels; ++i) {
            _mm512_mask_storeu_ps(out + (x + i) * stride, lanes, sums[i]);
        }
    }
    for (; x < pixels; ++x) {
        __m512 sum = _mm512_setzero_ps();
        for (std::size_t tap = 0; tap < count; ++tap) {
            const __m512 weight = kTaps == 0 ? _mm512_maskz_loadu_ps(lanes, weights + tap * stride) : kept[tap];
            sum = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(lanes, in + x * step + taps.offset[tap]), weight, sum);
        }
        _mm512_mask_storeu_ps(out + x * stride, lanes, sum);
    }
}

void inner_pixels(
    const ConvPrimitiveSpec& spec, const Taps& taps, const float* in, const float* weights, std::size_t pixels,
    float* out) {
    const std::size_t channels = spec.in_channels;
    const std::size_t step = spec.stride_w * channels;
    for (std::size_t c = 0; c < channels; c += kLanes) {
        const auto lanes = static_cast<__mmask16>(channels - c >= kLanes ? 0xFFFFU : (1U << (channels - c)) - 1U);
        taps.count == 9 ? row_of_group<9>(taps, in + c, step, weights + c, channels, lanes, pixels, out + c)
                        : row_of_group<0>(taps, in + c, step, weights + c, channels, lanes, pixels, out + c);
    }
}

void depthwise_avx512(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out) {
    const Taps taps = taps_of(spec);
    const auto [first, last] = inner(spec);
    const std::size_t channels = spec.in_channels;
    for (std::size_t y = 0; y < spec.out_h(); ++y, out += spec.out_w() * channels) {
        for (std::size_t x = 0; x < spec.out_w(); ++x) {
            if (x < first || x >= last) {
                one_pixel(spec, in, weights, y, x, out + x * channels);
            }
        }
        const float* const from =
            in + (y * spec.stride_h * spec.in_w + first * spec.stride_w - spec.pad_left) * channels;
        inner_pixels(spec, taps, from, weights, last - first, out + first * channels);
    }
}

#endif

}  // namespace

void depthwise_conv_portable(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out) {
    for (std::size_t image = 0; image < spec.batch; ++image) {
        for (std::size_t y = 0; y < spec.out_h(); ++y) {
            for (std::size_t x = 0; x < spec.out_w(); ++x, out += spec.out_channels) {
                one_pixel(spec, in, weights, y, x, out);
            }
        }
        in += spec.in_size() / spec.batch;
    }
}

void depthwise_conv(const ConvPrimitiveSpec& spec, const float* in, const float* weights, float* out) {
#if defined(__x86_64__)
    if (cpu_has_avx512() && spec.kernel_h * spec.kernel_w <= kMostTaps) {
        for (std::size_t image = 0; image < spec.batch; ++image) {
            depthwise_avx512(
                spec, in + image * spec.in_size() / spec.batch, weights, out + image * spec.out_size() / spec.batch);
        }
        return;
    }
#endif
    depthwise_conv_portable(spec, in, weights, out);
}

}  // namespace ttnn_cpu::kernels
