// SPDX-License-Identifier: Apache-2.0
#include "kernels/sfpu_unit.hpp"

#include <algorithm>

namespace ttnn_cpu::kernels::sfpu {
namespace {

constexpr std::uint32_t kSignBit = 0x80000000U;
constexpr std::uint32_t kInfinityBits = 0x7F800000U;

struct Operand {
    explicit Operand(float value)
        : bits(bits_of(value)),
          exp(static_cast<int>((bits >> 23) & 0xFFU)),
          significand(exp == 0 ? 0U : (bits & 0x7FFFFFU) | 0x800000U) {}

    [[nodiscard]] std::uint32_t sign() const { return bits & kSignBit; }
    [[nodiscard]] bool special() const { return exp == 255; }
    [[nodiscard]] bool nan() const { return special() && significand != 0x800000U; }
    [[nodiscard]] bool infinite() const { return special() && significand == 0x800000U; }

    std::uint32_t bits;
    int exp;
    std::uint32_t significand;
};

// Shifts right; a lost one bit stays visible in the lowest bit, but only while anything else is left.
std::uint32_t align(std::uint32_t value, int amount) {
    if (amount >= 32) {
        return 0;
    }
    const std::uint32_t shifted = value >> amount;
    return shifted != 0 && (shifted << amount) != value ? shifted | 1U : shifted;
}

// Infinities and NaN. `done` tells that `bits` is the result; otherwise `bits` is 0 or a NaN that the sum below leaks
// bits into.
struct Special {
    bool done;
    std::uint32_t bits;
};

Special special_case(const Operand& x, const Operand& y, const Operand& z, int product_exp) {
    const std::uint32_t sign = (x.bits ^ y.bits) & kSignBit;
    const bool product_infinite = x.special() || y.special() || product_exp >= 255;
    if (!product_infinite && !z.special()) {
        return {false, 0};
    }
    const bool invalid = x.nan() || y.nan() || (x.infinite() && y.significand == 0) ||
                         (y.infinite() && x.significand == 0) || (z.infinite() && product_infinite && z.sign() != sign);
    if (invalid) {
        return {false, sign | kInfinityBits | 1U};
    }
    if (z.nan()) {
        return {false, z.sign() | kInfinityBits | 1U};
    }
    return {true, z.special() ? z.bits : sign | kInfinityBits};
}

}  // namespace

float mad(float x, float y, float z) {
    const Operand a(x);
    const Operand b(y);
    const Operand c(z);
    const std::uint32_t product_sign = (a.bits ^ b.bits) & kSignBit;
    const std::uint64_t product = static_cast<std::uint64_t>(a.significand) * b.significand;
    // Both terms carry three bits below the float32 significand.
    auto p = static_cast<std::uint32_t>(product >> 20) | ((product & 0xFFFFFU) != 0 ? 1U : 0U);
    auto q = c.significand << 3;
    int product_exp = a.exp + b.exp - 127;

    const Special special = special_case(a, b, c, product_exp);
    if (special.done) {
        return from_bits(special.bits);
    }
    const std::uint32_t nan = special.bits;
    if (nan != 0 || c.special()) {
        product_exp = std::min(product_exp, 255);
    }
    if (p == 0 || product_exp < 0) {
        if (nan == 0) {
            return from_bits(c.significand != 0 ? c.bits : 0U);
        }
        p = 0;
        product_exp = 0;
    }

    int exp = std::max(product_exp, c.exp);
    p = align(p, exp - product_exp);
    q = align(q, exp - c.exp);
    const std::uint32_t sign = p >= q ? product_sign : c.sign();
    std::uint32_t sum = product_sign == c.sign() ? p + q : std::max(p, q) - std::min(p, q);
    if (sum == 0) {
        return from_bits(nan);
    }

    const int excess = 5 - std::countl_zero(sum);
    exp += excess;
    if (exp >= 255) {
        return from_bits(nan != 0 ? nan : sign | kInfinityBits);
    }
    if (exp < 0) {
        return from_bits(nan);
    }
    sum = excess <= 0 ? sum << -excess : (sum >> excess) | (sum & 1U);
    std::uint32_t result = (static_cast<std::uint32_t>(exp) << 23) + ((sum >> 3) & 0x7FFFFFU);
    result += (sum & 7U) + (result & 1U) > 4U ? 1U : 0U;
    if ((result >> 23) == 0) {
        return from_bits(nan);
    }
    return from_bits((nan != 0 ? nan : sign) | result);
}

float reciprocal(float x, int steps) {
    // -x scaled to (-2, -1]; the complement of the exponent field undoes the scaling and maps 0 and infinity to each
    // other.
    const float minus_x = from_bits(0xBF800000U | mantissa(x));
    const float scale = mul(from_bits(~bits_of(x) & 0xFF800000U), 0.5F);
    float y = polynomial(minus_x, 2.121212482452392578125F, 1.4545459747314453125F, 0.3232325017452239990234375F);
    for (int step = 0; step < std::max(steps, 1); ++step) {
        y = mad(y, mad(minus_x, y, 1.0F), y);
    }
    return copy_sign(mul(y, scale), x);
}

}  // namespace ttnn_cpu::kernels::sfpu
