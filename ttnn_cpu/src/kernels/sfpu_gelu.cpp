// SPDX-License-Identifier: Apache-2.0
#include "kernels/sfpu_functions.hpp"
#include "kernels/sfpu_unit.hpp"

// gelu in its three forms, and erf.
namespace ttnn_cpu::kernels::sfpu {
namespace {

constexpr float kGeluZeroBelow = -5.54259443F;

float gelu_bf16(float x) {
    if (!greater(x, kGeluZeroBelow)) {
        return 0.0F;
    }
    if (!less(x, 2.78125F)) {
        return x;
    }
    const float x2 = mul(x, x);
    if (!less(x, -3.125F)) {
        const float odd = polynomial(
            x2, 3.9894227818e-01F, -6.6361041488e-02F, 9.7720050615e-03F, -1.0717806322e-03F, 8.1812159812e-05F,
            -3.8082057209e-06F, 7.9821413868e-08F);
        return mul(x, mad(x, odd, 0.5F));
    }
    // The tail: exp(-x^2/2) times a cubic, rounded to a multiple of 2^-25.
    const float density = exp_21f(mad(x2, -0.72134752044F, 127.0F), 1.0017248F);
    const float cubic = polynomial(x, 3.0369991064e-01F, 9.5413386822e-02F, 1.3809983619e-02F, 7.5950479368e-04F);
    const float tail = mul(density, cubic);
    return mul(x, sub(add(tail, 0.375F), 0.375F));
}

// Numerator and denominator of erf as odd and even polynomials of degree 15 and 16.
float erf_rational(float x) {
    const float x2 = mul(x, x);
    const float numerator = polynomial(
        x2, 1.1283791065e+00F, 2.1477432549e-01F, 6.2133435160e-02F, 5.6230435148e-03F, 6.1307044234e-04F,
        1.7678321456e-05F, 2.7384647439e-08F, -2.8632063387e-10F);
    const float denominator = polynomial(
        x2, 1.0F, 5.2367275953e-01F, 1.2961706519e-01F, 1.9642570987e-02F, 1.9545555115e-03F, 1.3179056987e-04F,
        1.3156344494e-06F, -3.5153888689e-09F, -6.7350725691e-12F);
    return mul(mul(numerator, x), reciprocal(denominator, 2));
}

float gelu_float32(float x) {
    if (!greater(x, kGeluZeroBelow)) {
        return 0.0F;
    }
    const float scaled = minimum(mul(x, 0.7071067811865475F), 10.0F);
    const float value = clamp(erf_rational(scaled), -1.0F, 1.0F);
    if (value == -1.0F) {
        return mul(x, 2.9802322387695313e-08F);
    }
    return mul(x, mad(0.5F, value, 0.5F));
}

// A float16 entry of the six-piece table; exponent 31 stands for zero.
float table_coefficient(std::uint32_t half) {
    const std::uint32_t exp = (half >> 10) & 31U;
    return from_bits(((half >> 15) << 31) | ((exp == 31U ? 0U : 112U + exp) << 23) | ((half & 0x3FFU) << 13));
}

}  // namespace

float gelu(float x, Destination destination) {
    return destination == Destination::Float32 ? gelu_float32(x) : round_bf16(gelu_bf16(x));
}

float gelu_approx(float x) {
    struct Piece {
        float below;
        std::uint16_t slope;
        std::uint16_t intercept;
    };
    constexpr Piece kPieces[] = {{0.5F, 0x322B, 0x86D8}, {1.0F, 0x37E7, 0xB122}, {1.5F, 0x38F3, 0xB479},
                                 {2.0F, 0x38E1, 0xB437}, {3.0F, 0x3852, 0xAFA4}, {kInfinity, 0x3800, 0x7C00}};
    const float size = magnitude(x);
    const Piece* piece = kPieces;
    while (size >= piece->below && piece->below != kInfinity) {
        ++piece;
    }
    return mad(x, 0.5F, mad(table_coefficient(piece->slope), size, table_coefficient(piece->intercept)));
}

float gelu_tanh(float x, Destination destination) {
    const float inner = mul(x, mad(0.044715F, mul(x, x), 1.0F));
    const float t = tanh_float32(mul(0.7978845608028654F, inner));
    const float half = mul(0.5F, x);
    return rounded(mad(half, t, half), destination);
}

float erf(float x, Destination destination) {
    const float limited = copy_sign(minimum(magnitude(x), 10.0F), x);
    if (destination == Destination::Float32) {
        return clamp(erf_rational(limited), -1.0F, 1.0F);
    }
    const float x2 = mul(limited, limited);
    const float numerator = polynomial(x2, 1.1280932447e+00F, 2.7609212279e-01F, 4.5400281738e-02F, 7.4481184425e-04F);
    const float denominator =
        polynomial(x2, 1.0F, 5.7439188334e-01F, 1.3675764810e-01F, 8.2844606784e-03F, 2.4813862145e-05F);
    return clamp(mul(mul(numerator, limited), reciprocal(denominator, 2)), -1.0F, 1.0F);
}

}  // namespace ttnn_cpu::kernels::sfpu
