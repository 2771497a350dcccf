// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/layer_norm_elementwise.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kernels/simd.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu::kernels::wormhole {
namespace {

TTNN_CPU_ALWAYS_INLINE std::uint32_t tf32(float value) { return std::bit_cast<std::uint32_t>(value) & 0xFFFFE000U; }

TTNN_CPU_ALWAYS_INLINE std::uint32_t significand(std::uint32_t bits) {
    return (bits & 0x7F800000U) == 0 ? 0U : 0x400U | ((bits >> 13) & 0x3FFU);
}

// fpu_add without its branches, so that it vectorises.
TTNN_CPU_ALWAYS_INLINE float add(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t size_a = a & 0x7FFFFFFFU;
    const std::uint32_t size_b = b & 0x7FFFFFFFU;
    const bool swap = size_a < size_b;
    const std::uint32_t large = swap ? b : a;
    const std::uint32_t small = swap ? a : b;
    const std::uint32_t large_exp = (large >> 23) & 0xFFU;
    const std::uint32_t distance = std::min(large_exp - ((small >> 23) & 0xFFU), 16U);
    const std::uint32_t aligned = (2 * significand(small) + (1U << distance)) >> (distance + 1);
    const std::uint32_t full = significand(large);
    const std::uint32_t total = ((a ^ b) >> 31) != 0 ? full - aligned : full + aligned;
    // 12 bits at most: the conversion normalises, and nothing is rounded.
    const auto normalised = std::bit_cast<std::int32_t>(static_cast<float>(static_cast<std::int32_t>(total)));
    const std::int32_t bits = normalised + (static_cast<std::int32_t>(large_exp) - 137) * (1 << 23);
    const std::uint32_t limited = std::min(static_cast<std::uint32_t>(std::max(bits, 0)), 0x7F800000U);
    const bool zero = total == 0 || bits < (1 << 23);
    return std::bit_cast<float>(zero ? 0U : limited | (large & 0x80000000U));
}

template <bool kSameA, bool kSameB>
TTNN_CPU_ALWAYS_INLINE void add_each(const float* a, const float* b, std::uint32_t flip, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = add(tf32(a[kSameA ? 0 : i]), tf32(b[kSameB ? 0 : i]) ^ flip);
    }
}

TTNN_CPU_SIMD_CLONES void add_rows(const float* a, const float* b, std::uint32_t flip, std::size_t n, float* out) {
    add_each<false, false>(a, b, flip, n, out);
}

TTNN_CPU_SIMD_CLONES void add_to_row(const float* a, const float* b, std::uint32_t flip, std::size_t n, float* out) {
    const float value = *b;
    add_each<false, true>(a, &value, flip, n, out);
}

// The four phases add up to the exact product of 10 by 11 bits, which float32 holds; only where the lowest phase underflows does the
// unit lose something. Returns whether that may have happened.
TTNN_CPU_SIMD_CLONES bool mul_rows(const float* a, const float* b, std::size_t step_b, std::size_t n, float* out) {
    std::uint32_t small = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t x = std::bit_cast<std::uint32_t>(a[i]);
        const std::uint32_t y = std::bit_cast<std::uint32_t>(b[step_b == 0 ? 0 : i]);
        const float product = std::bit_cast<float>(x & 0xFFFFC000U) * std::bit_cast<float>(y & 0xFFFFE000U);
        const std::uint32_t exp = (std::bit_cast<std::uint32_t>(product) >> 23) & 0xFFU;
        const bool zero = (x & 0x7F800000U) == 0 || (y & 0x7F800000U) == 0;
        small |= !zero && exp - 16U > 230U ? 1U : 0U;
        out[i] = zero ? 0.0F : product;
    }
    return small != 0;
}

void add_signed(RowOperand a, RowOperand b, std::uint32_t flip, std::size_t n, float* out) {
    if (b.same) {
        add_to_row(a.values, b.values, flip, n, out);
    } else {
        add_rows(a.values, b.values, flip, n, out);
    }
}

}  // namespace

void elementwise_add(RowOperand a, RowOperand b, std::size_t n, float* out) { add_signed(a, b, 0, n, out); }

void elementwise_sub(RowOperand a, RowOperand b, std::size_t n, float* out) { add_signed(a, b, 0x80000000U, n, out); }

void elementwise_mul(RowOperand a, RowOperand b, std::size_t n, float* out) {
    constexpr std::size_t kBlock = 256;
    for (std::size_t start = 0; start < n; start += kBlock) {
        const std::size_t count = std::min(kBlock, n - start);
        const float* x = a.values + start;
        const float* y = b.same ? b.values : b.values + start;
        float result[kBlock];
        if (mul_rows(x, y, b.same ? 0 : 1, count, result)) [[unlikely]] {
            for (std::size_t i = 0; i < count; ++i) {
                result[i] = std::bit_cast<float>(
                    fpu_mul(tf32(x[i]), tf32(y[b.same ? 0 : i]), Fidelity::HiFi4, DestWidth::Bits32));
            }
        }
        std::copy_n(result, count, out + start);
    }
}

}  // namespace ttnn_cpu::kernels::wormhole
