// SPDX-License-Identifier: Apache-2.0
#include "kernels/sfpu_functions.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

// Roots, logarithms, rounding and the piecewise linear functions.
namespace ttnn_cpu::kernels::sfpu {

float sqrt(float x, bool reciprocal_root, Destination destination) {
    if (negative(x)) {
        return rounded(kNan, destination);
    }
    const float seed = from_bits(0x5F1110A0U - (bits_of(x) >> 1));
    const float c = mul(negate(seed), mul(x, seed));
    const float y = mul(seed, mad(c, add(2.2533049F, c), 2.2825186F));
    const float xy = mul(x, y);
    const float residue = mad(negate(y), xy, 1.0F);
    const std::uint32_t infinity_minus_x = bits_of(kInfinity) - bits_of(x);
    float root = 0.0F;
    if (reciprocal_root) {
        const bool ordinary = infinity_minus_x != 0 && bits_of(x) != 0;
        root = ordinary ? mad(residue, add_exponent(y, -1), y) : from_bits(infinity_minus_x);
    } else {
        root = static_cast<std::int32_t>(bits_of(x) - bits_of(kInfinity)) < 0 ? mad(residue, mul(0.5F, xy), xy) : y;
    }
    return rounded(root, destination);
}

// To some 10 bits.
float rsqrt_approx(float x, Destination destination) {
    if (negative(x)) {
        return rounded(kNan, destination);
    }
    const float seed = from_bits(0x5F0B3892U - (bits_of(x) >> 1));
    const float correction = mad(negate(seed), mul(x, seed), 1.89099014875F);
    const std::uint32_t infinity_minus_x = bits_of(kInfinity) - bits_of(x);
    const bool ordinary = infinity_minus_x != 0 && bits_of(x) != 0;
    return rounded(ordinary ? mul(seed, correction) : from_bits(infinity_minus_x), destination);
}

float log(float x, float base_scale, Destination destination) {
    constexpr float kLog2TimesUlp = 0.693147182F * 1.19209290e-7F;
    // The exponent k of x = 2^k m with m in [0.75, 1.5), still in its place in the word.
    const std::uint32_t k = (bits_of(x) - bits_of(0.75F)) & 0xFF800000U;
    const float a = mad(x, 1.0F, 0.0F);
    if (negative(a)) {
        return rounded(kNan, destination);
    }
    const float m = sub(from_bits(bits_of(a) - k), 1.0F);
    float r = 0.0F;
    if (destination == Destination::Float32) {
        r = polynomial(
            m, -0.5F, 0x1.555572p-2F, -0x1.00001ap-2F, 0x1.998p-3F, -0x1.55p-3F, 0x1.274p-3F, -0x1.0c4p-3F, 0x1.b84p-4F,
            -0x1.92cp-5F);
    } else {
        r = polynomial(m, -0x1.008p-1F, 0x1.744p-2F, -0.25F);
    }
    r = mad(r, mul(m, m), m);
    const auto signed_k = static_cast<std::int32_t>(k);
    const auto size = static_cast<float>(signed_k < 0 ? -static_cast<std::int64_t>(signed_k) : signed_k);
    float result = mad(copy_sign(size, from_bits(k)), kLog2TimesUlp, r);
    if (base_scale != 1.0F) {
        result = mul(result, base_scale);
    }
    // Zero wraps to infinity here, and infinity and NaN stay: each then has the right product with the result.
    const float wrapped = add_exponent(a, -1);
    if (biased_exponent(wrapped) == 255) {
        result = mul(result, wrapped);
    }
    return rounded(result, destination);
}

float hardsigmoid(float x) {
    const float line = mad(x, 0.1666666716337204F, 0.5F);
    const float limited = greater(line, 1.0F) ? 1.0F : line;
    return negative(limited) ? 0.0F : limited;
}

float hardswish(float x, Destination destination) {
    if (destination == Destination::Float32) {
        return mul(hardsigmoid(x), x);
    }
    return from_bits(wormhole::fpu_mul(
        bits_of(store_bf16(hardsigmoid(x))), bits_of(x), wormhole::Fidelity::HiFi4, wormhole::DestWidth::Bits16));
}

float power(float x, std::uint32_t exponent) {
    if (exponent == 0) {
        return 1.0F;
    }
    float result = x;
    for (std::uint32_t left = exponent - 1; left > 0; left >>= 1) {
        if ((left & 1U) != 0) {
            result = mul(result, x);
        }
        x = mul(x, x);
    }
    return result;
}

float trunc(float x) {
    const int exp = exponent(x);
    const std::uint32_t mask = exp < 0 ? 0x80000000U : exp > 23 ? 0xFFFFFFFFU : 0xFFFFFFFFU << (23 - exp);
    return from_bits(bits_of(x) & mask);
}

float floor(float x) {
    const float whole = trunc(x);
    const bool above = negative(x) && static_cast<std::int32_t>(bits_of(whole) - bits_of(x)) < 0;
    return above ? add(whole, -1.0F) : whole;
}

float ceil(float x) {
    const float whole = trunc(x);
    const bool below = !negative(x) && static_cast<std::int32_t>(bits_of(whole) - bits_of(x)) < 0;
    return below ? add(whole, 1.0F) : whole;
}

}  // namespace ttnn_cpu::kernels::sfpu
