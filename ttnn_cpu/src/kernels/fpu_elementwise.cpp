// SPDX-License-Identifier: Apache-2.0
#include "kernels/fpu_elementwise.hpp"

#include <algorithm>
#include <utility>

namespace ttnn_cpu::kernels::fpu {
namespace {

int exponent(std::uint32_t bits) {
    return static_cast<int>((bits >> 23) & 0xFFU);
}

// Hidden bit and 10 fraction bits; zero for a zero or denormal.
std::uint32_t significand11(std::uint32_t bits) {
    return exponent(bits) == 0 ? 0U : 0x400U | ((bits >> 13) & 0x3FFU);
}

std::uint32_t shift_rounding(std::uint32_t value, int amount, std::uint32_t half_minus) {
    if (amount <= 0) {
        return value;
    }
    return amount < 31 ? (value + (1U << (amount - 1)) - half_minus) >> amount : 0U;
}

}  // namespace

std::uint32_t accumulate(
    std::uint32_t sign, int exp, std::uint32_t significand, std::uint32_t destination, bool float32) {
    const int destination_exp = exponent(destination);
    const std::uint32_t destination_sign = destination >> 31;
    const int largest = std::max({exp, destination_exp, 0});
    if (largest == 0) {
        return 0;
    }
    std::uint32_t kept = destination_exp == 0 ? 0U : (destination & 0x7FFFFFU) | 0x800000U;
    // A negative term is a one's complement on its way through the adder: its ties go towards zero.
    std::uint32_t term = shift_rounding(significand, largest - exp, sign);
    kept = shift_rounding(kept, largest - destination_exp, 0);
    if (!float32) {
        term = (term + (1U << 12) - sign) & ~0x1FFFU;
        kept = (kept + (1U << 12)) & ~0x1FFFU;
    }
    const auto signed_term =
        sign == destination_sign ? static_cast<std::int32_t>(term) : -static_cast<std::int32_t>(term);
    const std::int32_t sum = static_cast<std::int32_t>(kept) + signed_term;
    if (sum == 0) {
        return 0;
    }
    const std::uint32_t result_sign = sum < 0 ? destination_sign ^ 1U : destination_sign;
    const auto magnitude = static_cast<std::uint32_t>(sum < 0 ? -sum : sum);

    int left = std::countl_zero(magnitude) - 8;
    if (result_sign != 0 && magnitude == 1) {
        left -= 27;  // the unit miscounts the leading bits of minus one
    }
    int result_exp = largest - left;
    const int dropped = float32 ? 0 : 16;
    left -= dropped;
    std::uint32_t normalised = left < 0 ? (magnitude + (1U << (-left - 1))) >> -left : magnitude << left;
    normalised <<= dropped;
    result_exp += (normalised & 0x1000000U) != 0 ? 1 : 0;
    if (result_exp <= 0) {
        return 0;
    }
    if (result_exp >= 255) {
        return (result_sign << 31) | 0x7F800000U;
    }
    return (result_sign << 31) | (static_cast<std::uint32_t>(result_exp) << 23) | (normalised & 0x7FFFFFU);
}

std::uint32_t elw_add(std::uint32_t a, std::uint32_t b, bool float32) {
    a = exponent(a) == 0 ? 0U : a;
    b = exponent(b) == 0 ? 0U : b;
    if ((a & 0x7FFFFFFFU) < (b & 0x7FFFFFFFU)) {
        std::swap(a, b);
    }
    const std::uint32_t large = significand11(a);
    const int distance = exponent(a) - exponent(b);
    const std::uint32_t small = distance < 12 ? shift_rounding(significand11(b), distance, 0) : 0U;
    const std::uint32_t sum = (a >> 31) == (b >> 31) ? large + small : large - small;
    return accumulate(a >> 31, exponent(a), sum << 13, 0, float32);
}

std::uint32_t elw_mul(std::uint32_t a, std::uint32_t b, int phases, bool float32) {
    std::uint32_t destination = 0;
    const std::uint32_t significand_a = significand11(a);
    const std::uint32_t significand_b = significand11(b);
    for (int phase = 0; phase < phases; ++phase) {
        const bool low_a = (phase & 1) != 0;
        const bool low_b = (phase & 2) != 0;
        const std::uint32_t part_a = low_a ? (significand_a >> 1) & 31U : significand_a >> 6;
        const std::uint32_t part_b = low_b ? (significand_b & 15U) << 3 : significand_b >> 4;
        const int adjust = -127 - (low_a ? 5 : 0) - (low_b ? 7 : 0);
        int exp = exponent(a) + exponent(b) + adjust;
        std::uint32_t sign = (a ^ b) >> 31;
        std::uint32_t product = (part_a * part_b) << 13;
        if (significand_a == 0 || significand_b == 0 || exp <= 0) {
            sign = 0;
            exp = 0;
            product = 0;
        }
        destination = accumulate(sign, exp, product, destination, float32);
    }
    return destination;
}

}  // namespace ttnn_cpu::kernels::fpu
