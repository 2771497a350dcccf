// SPDX-License-Identifier: Apache-2.0
#include "kernels/eltwise.hpp"

#include <algorithm>
#include <bit>

#include "kernels/eltwise_avx512.hpp"
#include "kernels/formats.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/simd.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

namespace ttnn_cpu::kernels {
namespace {

float flush(float x) { return sfpu::biased_exponent(x) == 0 ? 0.0F : x; }

float divide(float a, float b, bool float32) {
    using namespace sfpu;  // NOLINT
    if (bits_of(b) == 0) {
        return bits_of(a) == 0 ? kNan : copy_sign(kInfinity, a);
    }
    const float inverse = reciprocal(b, 2);
    const float quotient = mul(a, inverse);
    if (float32 && biased_exponent(quotient) != 255) {
        return mad(sub(a, mul(quotient, b)), inverse, quotient);
    }
    return quotient;
}

template <typename Load>
void each(BinaryFunction function, std::size_t n, std::uint16_t* out, const Load& pair) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto [a, b] = pair(i);
        out[i] = binary_bf16(function, a, b);
    }
}

struct Pair {
    std::uint16_t a;
    std::uint16_t b;
};

// A sum or a product rounds as in IEEE arithmetic. Returns whether an operand or a result may be special, where it does
// not.
template <typename Operation>
TTNN_CPU_ALWAYS_INLINE bool ieee(
    const float* a, std::size_t step_a, const float* b, std::size_t step_b, std::size_t n, float* out,
    Operation operation) {
    std::uint32_t unusual = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const float x = a[i * step_a];
        const float y = b[i * step_b];
        const float result = operation(x, y);
        const std::uint32_t exponent = (std::bit_cast<std::uint32_t>(result) >> 23) & 0xFFU;
        // Twice the magnitude, less one: a zero wraps to the top, a denormal stays below 2^24.
        const std::uint32_t size_x = 2U * std::bit_cast<std::uint32_t>(x) - 1U;
        const std::uint32_t size_y = 2U * std::bit_cast<std::uint32_t>(y) - 1U;
        unusual |= exponent - 2U > 250U || size_x < 0xFFFFFFU || size_y < 0xFFFFFFU ? 1U : 0U;
        out[i] = result;
    }
    return unusual != 0;
}

TTNN_CPU_SIMD_CLONES bool add_ieee(
    const float* a, std::size_t sa, const float* b, std::size_t sb, std::size_t n, float* out) {
    return ieee(a, sa, b, sb, n, out, [](float x, float y) { return x + y; });
}

TTNN_CPU_SIMD_CLONES bool sub_ieee(
    const float* a, std::size_t sa, const float* b, std::size_t sb, std::size_t n, float* out) {
    return ieee(a, sa, b, sb, n, out, [](float x, float y) { return x - y; });
}

TTNN_CPU_SIMD_CLONES bool mul_ieee(
    const float* a, std::size_t sa, const float* b, std::size_t sb, std::size_t n, float* out) {
    return ieee(a, sa, b, sb, n, out, [](float x, float y) { return x * y; });
}

void each_f32(
    BinaryFunction function, const float* a, std::size_t step_a, const float* b, std::size_t step_b, std::size_t n,
    float* out) {
    constexpr std::size_t kBlock = 64;
    const auto quick = function == BinaryFunction::Add   ? add_ieee
                       : function == BinaryFunction::Sub ? sub_ieee
                       : function == BinaryFunction::Mul ? mul_ieee
                                                         : nullptr;
    for (std::size_t start = 0; start < n; start += kBlock) {
        const std::size_t count = std::min(kBlock, n - start);
        const float* x = a + start * step_a;
        const float* y = b + start * step_b;
        float result[kBlock];
        if (quick == nullptr || quick(x, step_a, y, step_b, count, result)) {
            for (std::size_t i = 0; i < count; ++i) {
                result[i] = binary_f32(function, x[i * step_a], y[i * step_b]);
            }
        }
        std::copy_n(result, count, out + start);
    }
}

}  // namespace

std::uint16_t binary_bf16(BinaryFunction function, std::uint16_t a, std::uint16_t b) {
    const float x = flush(bf16_to_float(a));
    const float y = flush(bf16_to_float(b));
    switch (function) {
        case BinaryFunction::Add:
            return bf16_round_away(
                sfpu::from_bits(wormhole::fpu_add(sfpu::bits_of(x), sfpu::bits_of(y), wormhole::DestWidth::Bits16)));
        case BinaryFunction::Sub:
            return bf16_round_away(
                sfpu::from_bits(wormhole::fpu_sub(sfpu::bits_of(x), sfpu::bits_of(y), wormhole::DestWidth::Bits16)));
        case BinaryFunction::Mul: {
            // Zero times anything is zero, as on the matrix unit.
            const bool zero = sfpu::bits_of(x) == 0 || sfpu::bits_of(y) == 0;
            return zero ? 0 : bf16_round_away(sfpu::store_bf16(sfpu::round_bf16_even(sfpu::mul(x, y))));
        }
        case BinaryFunction::Div:
            return bf16_round_away(sfpu::store_bf16(sfpu::round_bf16_even(divide(x, y, false))));
    }
    return 0;
}

float binary_f32(BinaryFunction function, float a, float b) {
    switch (function) {
        case BinaryFunction::Add:
            return sfpu::add(a, b);
        case BinaryFunction::Sub:
            return sfpu::sub(a, b);
        case BinaryFunction::Mul:
            return sfpu::mul(a, b);
        case BinaryFunction::Div:
            return divide(flush(a), flush(b), true);
    }
    return 0.0F;
}

void binary_bf16(
    BinaryFunction function, const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out) {
    if (cpu_has_avx512()) {
        avx512::binary_bf16(function, {a, false}, {b, false}, n, out);
        return;
    }
    each(function, n, out, [=](std::size_t i) { return Pair{a[i], b[i]}; });
}

void binary_bf16(BinaryFunction function, const std::uint16_t* a, std::uint16_t b, std::size_t n, std::uint16_t* out) {
    if (cpu_has_avx512()) {
        avx512::binary_bf16(function, {a, false}, {&b, true}, n, out);
        return;
    }
    each(function, n, out, [=](std::size_t i) { return Pair{a[i], b}; });
}

void binary_bf16(BinaryFunction function, std::uint16_t a, const std::uint16_t* b, std::size_t n, std::uint16_t* out) {
    if (cpu_has_avx512()) {
        avx512::binary_bf16(function, {&a, true}, {b, false}, n, out);
        return;
    }
    each(function, n, out, [=](std::size_t i) { return Pair{a, b[i]}; });
}

void add_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out) {
    binary_bf16(BinaryFunction::Add, a, b, n, out);
}

void sub_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out) {
    binary_bf16(BinaryFunction::Sub, a, b, n, out);
}

void mul_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out) {
    binary_bf16(BinaryFunction::Mul, a, b, n, out);
}

void div_bf16(const std::uint16_t* a, const std::uint16_t* b, std::size_t n, std::uint16_t* out) {
    binary_bf16(BinaryFunction::Div, a, b, n, out);
}

void fpu_binary_f32(
    BinaryFunction function, const float* a, std::size_t step_a, const float* b, std::size_t step_b, std::size_t n,
    float* out) {
    using namespace wormhole;  // NOLINT: the unit that computes it
    for (std::size_t i = 0; i < n; ++i) {
        const std::uint32_t x = truncate_to_tf32(std::bit_cast<std::uint32_t>(a[i * step_a]));
        const std::uint32_t y = truncate_to_tf32(std::bit_cast<std::uint32_t>(b[i * step_b]));
        const std::uint32_t result = function == BinaryFunction::Add ? fpu_add(x, y, DestWidth::Bits32)
                                     : function == BinaryFunction::Sub
                                         ? fpu_sub(x, y, DestWidth::Bits32)
                                         : fpu_mul(x, y, Fidelity::HiFi4, DestWidth::Bits32);
        out[i] = std::bit_cast<float>(result);
    }
}

void binary_f32(BinaryFunction function, const float* a, const float* b, std::size_t n, float* out) {
    each_f32(function, a, 1, b, 1, n, out);
}

void binary_f32(BinaryFunction function, const float* a, float b, std::size_t n, float* out) {
    each_f32(function, a, 1, &b, 0, n, out);
}

void binary_f32(BinaryFunction function, float a, const float* b, std::size_t n, float* out) {
    each_f32(function, &a, 0, b, 1, n, out);
}

}  // namespace ttnn_cpu::kernels
