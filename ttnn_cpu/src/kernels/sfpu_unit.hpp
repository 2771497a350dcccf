// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

// The instructions of Wormhole's vector unit (SFPU) that the function models use, on one lane. Values are float32 bit
// patterns; denormals count as zero everywhere, and a zero result is +0.
namespace ttnn_cpu::kernels::sfpu {

inline std::uint32_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
inline float from_bits(std::uint32_t bits) { return std::bit_cast<float>(bits); }

inline constexpr float kInfinity = std::numeric_limits<float>::infinity();
inline constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

// x * y + z. Partly fused: the product keeps 27 significant bits and a sticky bit, and is then added and rounded to
// nearest even.
float mad(float x, float y, float z);

// A product alone is rounded like IEEE's, and so is a sum; only denormals and the sign of zero differ.
inline float mul(float x, float y) { return mad(x, y, 0.0F); }
inline float add(float x, float y) { return mad(1.0F, x, y); }
inline float sub(float x, float y) { return mad(y, -1.0F, x); }

// c0 + c1 x + c2 x^2 + ... by Horner's rule.
template <typename... Coefficients>
float polynomial(float x, float c0, Coefficients... rest) {
    if constexpr (sizeof...(rest) == 0) {
        return c0;
    } else {
        return mad(polynomial(x, rest...), x, c0);
    }
}

inline bool negative(float x) { return (bits_of(x) >> 31) != 0; }

// A comparison subtracts and looks at the sign.
inline bool less(float x, float y) { return negative(sub(x, y)); }
inline bool greater(float x, float y) {
    const float difference = sub(x, y);
    return !negative(difference) && bits_of(difference) != 0;
}

inline int biased_exponent(float x) { return static_cast<int>((bits_of(x) >> 23) & 0xFFU); }
inline int exponent(float x) { return biased_exponent(x) - 127; }
inline std::uint32_t mantissa(float x) { return bits_of(x) & 0x7FFFFFU; }
inline float set_exponent(float x, int biased) {
    return from_bits((bits_of(x) & 0x807FFFFFU) | ((static_cast<std::uint32_t>(biased) & 0xFFU) << 23));
}
inline float copy_sign(float magnitude, float sign) {
    return from_bits((bits_of(magnitude) & 0x7FFFFFFFU) | (bits_of(sign) & 0x80000000U));
}
inline float magnitude(float x) { return from_bits(bits_of(x) & 0x7FFFFFFFU); }
inline float negate(float x) { return from_bits(bits_of(x) ^ 0x80000000U); }

// Adds to the exponent field, which wraps; infinities and NaN stay.
inline float add_exponent(float x, int amount) {
    return biased_exponent(x) == 255 ? x : set_exponent(x, biased_exponent(x) + amount);
}

// Only the low five bits of the amount count; a negative amount shifts right.
inline std::uint32_t shift(std::uint32_t value, int amount) {
    return amount >= 0 ? value << (amount & 31) : value >> (-amount & 31);
}

// Minimum and maximum order the patterns as signed magnitudes: -0 is below +0.
inline std::int32_t total_order(float x) {
    const std::uint32_t bits = bits_of(x);
    return static_cast<std::int32_t>((bits >> 31) != 0 ? bits ^ 0x7FFFFFFFU : bits);
}
inline float minimum(float x, float y) { return total_order(y) < total_order(x) ? y : x; }
inline float maximum(float x, float y) { return total_order(y) > total_order(x) ? y : x; }
inline float clamp(float x, float low, float high) { return minimum(maximum(x, low), high); }

// To bfloat16, ties away from zero; NaN becomes infinity, a denormal +0.
inline float round_bf16(float x) {
    const std::uint32_t bits = bits_of(x);
    if (biased_exponent(x) == 0) {
        return 0.0F;
    }
    return from_bits(biased_exponent(x) == 255 ? bits & 0xFF800000U : (bits + 0x8000U) & 0xFFFF0000U);
}

// To bfloat16, ties to even, on the pattern alone: a NaN may become another NaN or infinity.
inline float round_bf16_even(float x) {
    const std::uint32_t bits = bits_of(x);
    return from_bits((bits + 0x7FFFU + ((bits >> 16) & 1U)) & 0xFFFF0000U);
}

// The magnitude as an integer of at most `limit`, ties away from zero.
inline std::uint32_t to_integer(float x, std::uint32_t limit) {
    const int exp = exponent(x);
    if (exp < -1) {
        return 0;
    }
    if (exp >= 16) {
        return limit;
    }
    const std::uint64_t significand = 0x800000U | mantissa(x);
    const std::uint64_t scaled = exp >= 0 ? significand << exp : significand >> -exp;
    const auto rounded = static_cast<std::uint32_t>((scaled >> 23) + ((scaled & 0x7FFFFFU) >= 0x400000U ? 1U : 0U));
    return rounded < limit ? rounded : limit;
}

// What SFPSTORE leaves in a bfloat16 destination: the upper half, and zero for a denormal.
inline float store_bf16(float x) {
    return from_bits(biased_exponent(x) == 0 ? bits_of(x) & 0x80000000U : bits_of(x) & 0xFFFF0000U);
}

// 2^(z / 2^23 - 127) for an integer z given as z = shift(significand, exponent), refined by a parabola (exp_21f of
// Moroz et al.). c0 differs between the hand-written kernel of exp and the compiled ones.
inline float exp_21f(float biased_log2, float c0) {
    const std::uint32_t z = shift(0x800000U | mantissa(biased_log2), exponent(biased_log2));
    const auto fraction = static_cast<float>(z & 0x7FFFFFU);
    const float refined = polynomial(fraction, c0, 7.839635491371155e-08F, 4.791750143340323e-15F);
    return set_exponent(refined, static_cast<int>((z >> 23) & 0xFFU));
}

// Newton's method for 1/x from a quadratic estimate; one step serves bfloat16, two float32.
float reciprocal(float x, int steps);

}  // namespace ttnn_cpu::kernels::sfpu
