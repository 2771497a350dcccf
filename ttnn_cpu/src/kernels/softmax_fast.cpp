// SPDX-License-Identifier: Apache-2.0
#include <bit>
#include <limits>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/simd.hpp"
#include "kernels/softmax.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes = 16;

TTNN_CPU_ALWAYS_INLINE float widen(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

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
                1.0F +
                r * (1.0F + r * (0.5F + r * (0.166666667F + r * (0.0416666667F + r * (0.00833333333F + r * 0.00138888889F)))));
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

}  // namespace

void softmax_rows_fast(const SoftmaxSpec& spec, const SoftmaxRows& data) {
    const std::size_t padded = (spec.columns + kLanes - 1) / kLanes * kLanes;
    const float scale = spec.scale ? bf16_to_float(bf16_truncate(*spec.scale)) : 1.0F;
    thread_local std::vector<float> x;
    x.resize(padded);
    for (std::size_t row = 0; row < data.rows; ++row) {
        const std::uint16_t* mask = data.mask != nullptr ? data.mask + row * data.mask_stride : nullptr;
        const float largest =
            load_scores(data.in + row * data.in_stride, mask, scale, spec.columns, padded, x.data());
        const float base = spec.numeric_stable ? largest : 0.0F;
        const float sum = spec.exp_approx ? exp_quick(x.data(), padded, base) : exp_close(x.data(), padded, base);
        const float rounded = bf16_to_float(bf16_round_away(sum));
        const float factor = rounded > 0.0F ? reciprocal_compat(rounded, spec.exp_approx) : 0.0F;
        store_scaled(x.data(), factor, spec.columns, data.out + row * data.out_stride);
    }
}

}  // namespace ttnn_cpu::kernels
