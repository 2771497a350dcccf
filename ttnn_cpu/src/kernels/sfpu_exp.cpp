// SPDX-License-Identifier: Apache-2.0
#include "kernels/sfpu_functions.hpp"
#include "kernels/sfpu_unit.hpp"

// exp and what is built on it.
namespace ttnn_cpu::kernels::sfpu {
namespace {

constexpr float kLog2E = 1.4426950216293335F;
constexpr float kParabolaC0 = 1.0017248F;

// x log2(e) + 127, kept where the exponent field can hold it.
float biased_log2(float x) { return clamp(mad(x, kLog2E, 127.0F), 0.0F, 255.0F); }

// An 8-bit entry of the three-piece table: sign, negated exponent, 4 fraction bits; all ones is zero.
float table_coefficient(std::uint32_t byte) {
    if (byte == 0xFFU) {
        return 0.0F;
    }
    return from_bits(((byte >> 7) << 31) | ((127U - ((byte >> 4) & 7U)) << 23) | ((byte & 15U) << 19));
}

// SFPLUT: slope and intercept, one byte each, for |x| in [0,1), [1,2), [2,inf); the sign of x is put back.
float lookup3(float x, std::uint32_t below_1, std::uint32_t below_2, std::uint32_t above) {
    const float size = magnitude(x);
    const std::uint32_t entry = size < 1.0F ? below_1 : size < 2.0F ? below_2 : above;
    return copy_sign(mad(table_coefficient(entry >> 8), size, table_coefficient(entry & 0xFFU)), x);
}

}  // namespace

float rounded(float x, Destination destination) { return destination == Destination::Bfloat16 ? round_bf16(x) : x; }

float exp_inline(float x) { return exp_21f(biased_log2(x), kParabolaC0); }

float exp_bf16(float x) {
    constexpr float kHalfPrecisionC0 = 1.001953125F;  // the hand-written kernel loads its constant as a float16
    return round_bf16(exp_21f(biased_log2(x), kHalfPrecisionC0));
}

float exp_float32(float x) {
    const float scaled = mul(1.442695F, x);
    const std::uint32_t size = to_integer(scaled, 32767);
    const int power = negative(scaled) ? -static_cast<int>(size) : static_cast<int>(size);
    const auto j = static_cast<float>(power);
    const float f = mad(j, -1.42860677e-6F, mad(j, -6.93145752e-1F, x));
    const float y = polynomial(f, 1.0F, 4.99999851e-1F, 1.66664720e-1F, 4.16695364e-2F, 8.37312452e-3F, 1.37805939e-3F);
    const float r = mad(y, f, 1.0F);
    const int exp = biased_exponent(r) + power;
    // Zero, or NaN if y is one.
    const float underflow = mul(from_bits(bits_of(y) - 1U), 0.0F);
    if (exp < 1) {
        return underflow;
    }
    return exp < 255 ? set_exponent(r, exp) : add(underflow, kInfinity);
}

float exp_approx(float x) {
    constexpr float kSlope = 256.0F * 1.4426950408889634F;
    const float fixed_point = mad(kSlope, maximum(x, -88.5F), 32500.818359375F);
    return from_bits(to_integer(fixed_point, 65535) << 15);
}

float sigmoid(float x, Destination destination) {
    if (destination == Destination::Float32) {
        return reciprocal(add(1.0F, exp_float32(negate(x))), 2);
    }
    return reciprocal(add(1.0F, exp_inline(negate(x))), 1);
}

float sigmoid_approx(float x) { return add(lookup3(x, 0x3DFF, 0x21D8, 0xFF10), 0.5F); }

float silu(float x, Destination destination) { return rounded(mul(x, sigmoid(x, destination)), destination); }

float mish(float x, bool approx, Destination destination) {
    if (!less(x, 8.0F)) {
        return rounded(x, destination);
    }
    const bool float32 = destination == Destination::Float32;
    float u = 0.0F;
    if (float32) {
        u = approx ? exp_inline(x) : exp_float32(x);
    } else {
        u = round_bf16(exp_inline(x));
    }
    const float numerator = mul(u, add(u, 2.0F));
    const float one_plus_u = add(u, 1.0F);
    const float inverse = reciprocal(mad(one_plus_u, one_plus_u, 1.0F), float32 && !approx ? 2 : 1);
    return rounded(mul(x, mul(numerator, inverse)), destination);
}

float tanh_float32(float x) {
    const float j0 = mul(x, 2.0F * 1.442695F);
    const std::uint32_t steps = to_integer(j0, 255);
    const auto j = static_cast<float>(steps);
    const float a = magnitude(add(x, x));
    const float f = mad(j, -0.6931471805599453F, a);
    const float r0 =
        polynomial(f, 0.5F, 1.666667163e-1F, 4.166680202e-2F, 8.331298828e-3F, 1.393318176e-3F, 1.974105835e-04F);
    const float r = mad(r0, mul(f, f), f);
    const float scale = set_exponent(0.0F, static_cast<int>(steps) + 126);
    const float x0 = mad(r, scale, sub(scale, 0.5F));
    const float x1 = add(x0, 1.0F);
    // A finite a becomes 1, a NaN stays.
    float y = mad(from_bits(bits_of(a) - 1U), 0.0F, 1.0F);
    if (steps < 61) {
        const float seed = from_bits(0xFEF30000U - bits_of(x1));  // about -1/x1
        const float t = mad(x1, seed, 1.0F);
        const float inverse = mad(seed, mad(t, t, t), seed);
        const float quotient = mul(x0, inverse);
        const float residue = mad(x1, quotient, x0);
        y = biased_exponent(x) >= 115 ? mad(residue, inverse, quotient) : x;
    }
    return copy_sign(y, x);
}

float tanh(float x, Destination destination) {
    if (destination == Destination::Float32) {
        return tanh_float32(x);
    }
    const float a = magnitude(x);
    const float inner = polynomial(
        a, 0.999004364013671875F, 3.0897438526153564453125e-2F, -0.4890659749507904052734375F,
        0.281917631626129150390625F, -6.6649019718170166015625e-2F, 5.876733921468257904052734375e-3F);
    return round_bf16(copy_sign(minimum(mul(inner, a), 1.0F), x));
}

float tanh_approx(float x) { return lookup3(x, 0x1DFF, 0x481A, 0xFF00); }

float softplus(float x, float beta, float threshold, Destination destination) {
    const float t = mul(beta, x);
    if (!less(t, threshold)) {
        return x;
    }
    const float a = magnitude(t);
    float residual = 0.0F;
    if (destination == Destination::Bfloat16) {
        if (!greater(a, 5.0F)) {
            residual = polynomial(
                a, 6.9423984729e-01F, -5.0932420424e-01F, 1.4279095486e-01F, -1.3000584069e-02F, -1.8627923291e-03F,
                5.0152968088e-04F, -3.1273466851e-05F);
        }
    } else if (!greater(a, 5.0F)) {
        residual = polynomial(
            a, 6.9310557842e-01F, -4.9926245213e-01F, 1.2186349183e-01F, 5.6753782555e-03F, -1.0528374463e-02F,
            2.7290175203e-03F, -3.4358495031e-04F, 2.1285692128e-05F, -4.8245715334e-07F);
    } else {
        const float shifted = add(mul(negate(a), 1.4426950408889634F), 12582912.0F);
        const int k = static_cast<int>(bits_of(shifted) - bits_of(12582912.0F));
        const float whole = sub(shifted, 12582912.0F);
        const float r = mad(whole, -3.19461832987e-05F, mad(whole, -0.693115234375F, negate(a)));
        const float p = polynomial(
            r, 1.0F, 1.0F, 0.5F, 0.166666667F, 0.0416666667F, 0.00833333333F, 0.00138888889F, 0.000198412698F);
        const int exp = biased_exponent(p) + k;
        const float e = exp > 0 ? set_exponent(p, exp) : 0.0F;
        residual = mul(e, mad(e, mad(e, 0.333333343F, -0.5F), 1.0F));
    }
    return rounded(mul(1.0F / beta, add(maximum(t, 0.0F), residual)), destination);
}

}  // namespace ttnn_cpu::kernels::sfpu
