// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_fpu.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace ttnn_cpu::kernels::wormhole {
namespace {

// A number on its way into the destination: magnitude * 2^(exponent - 127 - 23), exponent still biased.
struct Term {
    bool negative = false;
    int exponent = 0;
    std::int32_t magnitude = 0;
};

struct Source {
    bool negative;
    int exponent;
    std::uint32_t significand;  // 11 bits with the hidden one; 0 when the operand is zero
};

Source decode_source(std::uint32_t bits) {
    const int exponent = static_cast<int>((bits >> 23) & 0xFF);
    const std::uint32_t significand = exponent == 0 ? 0 : (((bits >> 13) & 0x3FF) | 0x400);
    return {(bits >> 31) != 0, exponent, significand};
}

// The 5 bits of SrcA and the 7 bits of SrcB that one phase multiplies.
std::uint32_t srca_bits(std::uint32_t significand, int phase) {
    return (phase & 1) != 0 ? (significand >> 1) & 31 : significand >> 6;
}
std::uint32_t srcb_bits(std::uint32_t significand, int phase) {
    return (phase & 2) != 0 ? (significand & 15) << 3 : significand >> 4;
}

int product_exponent(int a, int b, int phase) {
    return a + b - 127 - ((phase & 1) != 0 ? 5 : 0) - ((phase & 2) != 0 ? 7 : 0);
}

// Shifts right with rounding: halves go up in magnitude, or down where `half_down` says so.
std::int32_t shift_rounded(std::int32_t magnitude, int shift, bool half_down) {
    if (shift == 0) {
        return magnitude;
    }
    if (shift > 30) {
        return 0;
    }
    return (magnitude + (1 << (shift - 1)) - (half_down ? 1 : 0)) >> shift;
}

// A 16-bit destination adds on a grid of 2^13.
std::int32_t to_coarse_grid(std::int32_t magnitude, bool half_down) {
    return (magnitude + (1 << 12) - (half_down ? 1 : 0)) & ~0x1FFF;
}

std::uint32_t encode(std::int32_t sum, int exponent, DestWidth width) {
    if (sum == 0) {
        return 0;
    }
    const std::uint32_t sign = sum < 0 ? 0x80000000U : 0U;
    auto magnitude = static_cast<std::uint32_t>(sum < 0 ? -sum : sum);
    int left_shift = std::countl_zero(magnitude) - 8;  // to 24 bits
    if (sum == -1) {
        left_shift = -4;  // the normaliser counts leading sign bits, and -1 is nothing but sign bits
    }
    exponent -= left_shift;
    const int kept_off = width == DestWidth::Bits16 ? 16 : 0;
    const int right_shift = kept_off - left_shift;
    if (right_shift > 0) {
        magnitude = (magnitude + (1U << (right_shift - 1))) >> right_shift;
    } else {
        magnitude <<= -right_shift;
    }
    magnitude <<= kept_off;
    exponent += (magnitude & 0x1000000U) != 0 ? 1 : 0;
    if (exponent <= 0) {
        return 0;
    }
    if (exponent >= 255) {
        return sign | 0x7F800000U;
    }
    return sign | (static_cast<std::uint32_t>(exponent) << 23) | (magnitude & 0x7FFFFFU);
}

std::uint32_t accumulate(const Term& first, const Term& second, std::uint32_t dst, DestWidth width) {
    const int dst_exponent = static_cast<int>((dst >> 23) & 0xFF);
    const Term base{
        (dst >> 31) != 0, dst_exponent, dst_exponent == 0 ? 0 : static_cast<std::int32_t>((dst & 0x7FFFFF) | 0x800000)};
    const int exponent = std::max({first.exponent, second.exponent, base.exponent});
    if (exponent <= 0) {
        return 0;
    }
    // New terms round their halves towards +infinity, the destination rounds its own away from zero.
    const auto aligned = [&](const Term& term, bool half_down) {
        std::int32_t magnitude = shift_rounded(term.magnitude, exponent - term.exponent, half_down);
        if (width == DestWidth::Bits16) {
            magnitude = to_coarse_grid(magnitude, half_down);
        }
        return term.negative ? -magnitude : magnitude;
    };
    return encode(
        aligned(base, false) + aligned(first, first.negative) + aligned(second, second.negative), exponent, width);
}

// Eight products aligned to the largest exponent among them, halves away from zero, then added.
Term sum_of_eight(const std::uint32_t* in0, const std::uint32_t* in1, int phase) {
    struct Product {
        int exponent = 0;
        std::int32_t value = 0;
    };
    std::array<Product, 8> products;
    int exponent = 0;
    for (int i = 0; i < 8; ++i) {
        const Source a = decode_source(in1[i]);
        const Source b = decode_source(in0[i]);
        if (a.significand == 0 || b.significand == 0) {
            continue;
        }
        const auto magnitude =
            static_cast<std::int32_t>(srca_bits(a.significand, phase) * srcb_bits(b.significand, phase));
        products[i] = {
            product_exponent(a.exponent, b.exponent, phase), a.negative != b.negative ? -magnitude : magnitude};
        exponent = std::max(exponent, products[i].exponent);
    }
    if (exponent <= 0) {
        return {};
    }
    std::int32_t sum = 0;
    for (const Product& product : products) {
        const std::int32_t magnitude = shift_rounded(std::abs(product.value), exponent - product.exponent, false);
        sum += product.value < 0 ? -magnitude : magnitude;
    }
    return {sum < 0, exponent, std::abs(sum) << 13};
}

}  // namespace

std::uint32_t mvmul(std::uint32_t dst, const std::uint32_t* in0, const std::uint32_t* in1, int phase, DestWidth width) {
    return accumulate(sum_of_eight(in0, in1, phase), sum_of_eight(in0 + 8, in1 + 8, phase), dst, width);
}

std::uint32_t fpu_add(std::uint32_t a, std::uint32_t b, DestWidth width) {
    Source large = decode_source(a);
    Source small = decode_source(b);
    if (std::pair(large.exponent, large.significand) < std::pair(small.exponent, small.significand)) {
        std::swap(large, small);
    }
    const int difference = large.exponent - small.exponent;
    const std::int32_t shifted =
        difference < 12 ? shift_rounded(static_cast<std::int32_t>(small.significand), difference, false) : 0;
    const auto magnitude =
        static_cast<std::int32_t>(large.significand) + (large.negative == small.negative ? shifted : -shifted);
    return accumulate({large.negative, large.exponent, magnitude << 13}, {}, 0, width);
}

std::uint32_t fpu_sub(std::uint32_t a, std::uint32_t b, DestWidth width) { return fpu_add(a, b ^ 0x80000000U, width); }

std::uint32_t fpu_accumulate(std::uint32_t dst, std::uint32_t a, DestWidth width) {
    const Source source = decode_source(a);
    return accumulate(
        {source.negative, source.exponent, static_cast<std::int32_t>(source.significand) << 13}, {}, dst, width);
}

std::uint32_t fpu_mul_phase(std::uint32_t dst, std::uint32_t a, std::uint32_t b, int phase, DestWidth width) {
    const Source left = decode_source(a);
    const Source right = decode_source(b);
    Term product{
        left.negative != right.negative, product_exponent(left.exponent, right.exponent, phase),
        static_cast<std::int32_t>(srca_bits(left.significand, phase) * srcb_bits(right.significand, phase)) << 13};
    if (left.significand == 0 || right.significand == 0 || product.exponent <= 0) {
        product = {};
    }
    return accumulate(product, {}, dst, width);
}

std::uint32_t fpu_mul(std::uint32_t a, std::uint32_t b, Fidelity fidelity, DestWidth width) {
    std::uint32_t dst = 0;
    for (int phase = 0; phase < static_cast<int>(fidelity); ++phase) {
        dst = fpu_mul_phase(dst, a, b, phase, width);
    }
    return dst;
}

std::uint16_t pack_bf16_from_dst16(std::uint16_t dst) {
    const int magnitude = dst & 0x7FFF;
    if (magnitude > 0x7F80) {
        return static_cast<std::uint16_t>((dst & 0x8000) | 0x7F80);
    }
    return magnitude < 0x80 ? std::uint16_t{0} : dst;
}

std::uint16_t pack_bf16_from_dst32(std::uint32_t dst) {
    if ((dst & 0x7FFFFFFFU) > 0x7F800000U) {
        return static_cast<std::uint16_t>(((dst >> 16) & 0x8000U) | 0x7F80U);
    }
    const auto rounded = static_cast<std::uint16_t>((dst + 0x8000U) >> 16);
    return (rounded & 0x7FFF) < 0x80 ? std::uint16_t{0} : rounded;
}

std::uint16_t l1_accumulate_bf16(std::uint16_t memory, std::uint16_t value) {
    const auto flushed = [](std::uint16_t bits) {
        return (bits & 0x7FFF) < 0x80 ? static_cast<std::uint16_t>(bits & 0x8000) : bits;
    };
    memory = flushed(memory);
    value = flushed(value);
    // A NaN in memory counts as a huge finite number, so only an infinity of the other sign outweighs it. Values from
    // the packer are never NaN.
    if ((memory & 0x7FFF) > 0x7F80) {
        return (value & 0x7FFF) == 0x7F80 ? value : static_cast<std::uint16_t>((memory & 0x8000) | 0x7F80);
    }
    // Exact in float32 unless the exponents are too far apart to matter, so one rounding.
    const auto sum = std::bit_cast<std::uint32_t>(
        std::bit_cast<float>(widen_bf16(memory)) + std::bit_cast<float>(widen_bf16(value)));
    if ((sum & 0x7FFFFFFFU) > 0x7F800000U) {
        return 0x7FC0;
    }
    if ((sum & 0x7FFFFFFFU) < 0x800000U) {
        return static_cast<std::uint16_t>((sum >> 16) & 0x8000U);
    }
    return static_cast<std::uint16_t>((sum + 0x7FFFU + ((sum >> 16) & 1U)) >> 16);
}

std::uint32_t l1_accumulate_fp32(std::uint32_t memory, std::uint32_t value) {
    const auto flushed = [](std::uint32_t bits) {
        return (bits & 0x7FFFFFFFU) < 0x800000U ? bits & 0x80000000U : bits;
    };
    const auto sum =
        std::bit_cast<std::uint32_t>(std::bit_cast<float>(flushed(memory)) + std::bit_cast<float>(flushed(value)));
    return (sum & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FC00000U : flushed(sum);
}

}  // namespace ttnn_cpu::kernels::wormhole
