// SPDX-License-Identifier: Apache-2.0
#include "kernels/layer_norm.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes = 64;

TTNN_CPU_ALWAYS_INLINE float widen(std::uint16_t bits) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

TTNN_CPU_ALWAYS_INLINE float combine(float* lanes) {
    for (std::size_t width = kLanes / 2; width > 0; width /= 2) {
        for (std::size_t lane = 0; lane < width; ++lane) {
            lanes[lane] += lanes[lane + width];
        }
    }
    return lanes[0];
}

// n is a multiple of kLanes.
TTNN_CPU_SIMD_CLONES float sum(const float* x, std::size_t n) {
    float lanes[kLanes] = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] += x[i + lane];
        }
    }
    return combine(lanes);
}

TTNN_CPU_SIMD_CLONES float sum_of_squares(const float* x, float mean, std::size_t n) {
    float lanes[kLanes] = {};
    for (std::size_t i = 0; i < n; i += kLanes) {
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            const float d = x[i + lane] - mean;
            lanes[lane] += d * d;
        }
    }
    return combine(lanes);
}

TTNN_CPU_SIMD_CLONES void load_sum(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, float* x) {
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = widen(a[i]) + widen(b[i]);
    }
}

TTNN_CPU_SIMD_CLONES void normalise(
    const float* x, float mean, float factor, const float* gamma, const float* beta, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = (x[i] - mean) * factor * gamma[i] + beta[i];
    }
}

}  // namespace

void layer_norm_rows(const LayerNormSpec& spec, const LayerNormRows& data) {
    const std::size_t columns = spec.columns;
    const std::size_t padded = (columns + kLanes - 1) / kLanes * kLanes;
    const float inverse = 1.0F / static_cast<float>(columns);
    const float epsilon = bf16_to_float(bf16_truncate(spec.epsilon));
    std::vector<float> x(padded);
    std::vector<float> gamma(columns, 1.0F);
    std::vector<float> beta(columns, 0.0F);
    if (data.gamma != nullptr) {
        unpack_bf16(data.gamma, columns, gamma.data());
    }
    if (data.beta != nullptr) {
        unpack_bf16(data.beta, columns, beta.data());
    }
    for (std::size_t row = 0; row < data.rows; ++row) {
        const std::uint16_t* in = data.in + row * data.in_stride;
        if (data.residual != nullptr) {
            load_sum(in, data.residual + row * data.residual_stride, columns, x.data());
        } else {
            unpack_bf16(in, columns, x.data());
        }
        std::fill(x.begin() + static_cast<std::ptrdiff_t>(columns), x.end(), 0.0F);
        const float mean = spec.rms ? 0.0F : sum(x.data(), padded) * inverse;
        std::fill(x.begin() + static_cast<std::ptrdiff_t>(columns), x.end(), mean);
        const float variance = sum_of_squares(x.data(), mean, padded) * inverse;
        const float factor = 1.0F / std::sqrt(variance + epsilon);
        normalise(x.data(), mean, factor, gamma.data(), beta.data(), columns, data.out + row * data.out_stride);
    }
}

}  // namespace ttnn_cpu::kernels
