// SPDX-License-Identifier: Apache-2.0
#include "kernels/attention_rows.hpp"

#include <bit>
#include <limits>

#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

constexpr std::size_t kLanes = 16;

}  // namespace

TTNN_CPU_SIMD_CLONES void keep_fraction(float* x, std::size_t n, unsigned bits) {
    const std::uint32_t mask = ~((1U << (23 - bits)) - 1U);
    for (std::size_t i = 0; i < n; ++i) {
        x[i] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(x[i]) & mask);
    }
}

TTNN_CPU_SIMD_CLONES float largest_of(const float* x, std::size_t n) {
    float lanes[16];
    for (float& lane : lanes) {
        lane = -std::numeric_limits<float>::infinity();
    }
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        for (std::size_t lane = 0; lane < 16; ++lane) {
            lanes[lane] = x[i + lane] > lanes[lane] ? x[i + lane] : lanes[lane];
        }
    }
    for (; i < n; ++i) {
        lanes[0] = x[i] > lanes[0] ? x[i] : lanes[0];
    }
    for (std::size_t lane = 1; lane < 16; ++lane) {
        lanes[0] = lanes[lane] > lanes[0] ? lanes[lane] : lanes[0];
    }
    return lanes[0];
}

TTNN_CPU_SIMD_CLONES void multiply(float* x, std::size_t n, float factor) {
    for (std::size_t i = 0; i < n; ++i) {
        x[i] *= factor;
    }
}

TTNN_CPU_SIMD_CLONES void exp_quick(float* x, std::size_t n, float largest, float scale) {
    for (std::size_t i = 0; i < n; ++i) {
        const float place = (x[i] - largest) * scale * 369.3299F + 32500.8184F;
        const float kept = place > 0.0F ? place : 0.0F;
        x[i] = std::bit_cast<float>(static_cast<std::int32_t>(kept + 0.5F) << 15);
    }
}

TTNN_CPU_SIMD_CLONES void exp_close(float* x, std::size_t n, float largest, float scale) {
    for (std::size_t i = 0; i < n; ++i) {
        const float given = (x[i] - largest) * scale;
        const float t = given > -87.0F ? given : -87.0F;
        const float whole = static_cast<float>(static_cast<std::int32_t>(t * 1.44269504F - 0.5F));
        const float r = (t - whole * 0.693359375F) + whole * 2.12194440e-4F;
        const float p =
            1.0F + r * (1.0F + r * (0.5F + r * (0.166666667F +
                                                r * (0.0416666667F + r * (0.00833333333F + r * 0.00138888889F)))));
        const float power = std::bit_cast<float>((static_cast<std::int32_t>(whole) + 127) << 23);
        x[i] = given > -87.0F ? p * power : 0.0F;
    }
}

TTNN_CPU_SIMD_CLONES float sum_of(const float* x, std::size_t n) {
    float lanes[16] = {};
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        for (std::size_t lane = 0; lane < 16; ++lane) {
            lanes[lane] += x[i + lane];
        }
    }
    for (; i < n; ++i) {
        lanes[i % 16] += x[i];
    }
    for (std::size_t width = 8; width > 0; width /= 2) {
        for (std::size_t lane = 0; lane < width; ++lane) {
            lanes[lane] += lanes[lane + width];
        }
    }
    return lanes[0];
}

TTNN_CPU_SIMD_CLONES void dot_rows(
    const float* query, const float* rows, std::size_t count, std::size_t width, float* scores) {
    for (std::size_t i = 0; i < count; ++i) {
        const float* const row = rows + i * width;
        float lanes[kLanes] = {};
        for (std::size_t d = 0; d < width; d += kLanes) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                lanes[lane] += query[d + lane] * row[d + lane];
            }
        }
        for (std::size_t half = kLanes / 2; half > 0; half /= 2) {
            for (std::size_t lane = 0; lane < half; ++lane) {
                lanes[lane] += lanes[lane + half];
            }
        }
        scores[i] = lanes[0];
    }
}

TTNN_CPU_SIMD_CLONES void add_weighted_rows(
    const float* weights, const float* rows, std::size_t count, std::size_t width, float* out) {
    for (std::size_t d = 0; d < width; d += kLanes) {
        float lanes[kLanes];
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            lanes[lane] = out[d + lane];
        }
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t lane = 0; lane < kLanes; ++lane) {
                lanes[lane] += weights[i] * rows[i * width + d + lane];
            }
        }
        for (std::size_t lane = 0; lane < kLanes; ++lane) {
            out[d + lane] = lanes[lane];
        }
    }
}

}  // namespace ttnn_cpu::kernels
