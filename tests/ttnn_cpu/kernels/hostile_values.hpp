// SPDX-License-Identifier: Apache-2.0
#pragma once

// Operands for tests that compare vector code with plain code: ordinary values, and those that break shortcuts.
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace kernels_test {

enum class Values { Normal, Wide, Tiny, Huge, Special, Cancelling, Saturating };
inline constexpr std::array kAllValues{Values::Normal,  Values::Wide,       Values::Tiny,      Values::Huge,
                                       Values::Special, Values::Cancelling, Values::Saturating};

// float32 bits of one kind of operand; callers keep the upper 16 for bfloat16.
inline std::vector<std::uint32_t> make_values(Values kind, std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<std::uint32_t> out(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t sign = random() & 0x80000000U;
        const std::uint32_t fraction = random() & 0x7FFFFFU;
        const auto with_exponent = [&](std::uint32_t low, std::uint32_t span) {
            return sign | ((low + random() % span) << 23) | fraction;
        };
        switch (kind) {
            case Values::Normal:
                out[i] = std::bit_cast<std::uint32_t>(std::normal_distribution<float>()(random));
                break;
            case Values::Wide:
                out[i] = with_exponent(105, 45);
                break;
            case Values::Tiny:
                out[i] = with_exponent(55, 20);
                break;  // products around the smallest normal number
            case Values::Huge:
                out[i] = with_exponent(180, 20);
                break;  // products around the largest
            case Values::Special: {
                constexpr std::array<std::uint32_t, 10> kSpecial{0,          0x00010000, 0x007F0000, 0x00800000,
                                                                 0x3F800000, 0x7F7F0000, 0x7F800000, 0x7FC00000,
                                                                 0x3F810000, 0x40000000};
                out[i] = sign | kSpecial[random() % kSpecial.size()];
                break;
            }
            case Values::Cancelling:
                out[i] = (i % 2 != 0 ? out[i - 1] ^ (random() % 4 != 0 ? 0U : 0x00010000U) : with_exponent(120, 12));
                break;
            case Values::Saturating:
                out[i] = (random() % 64 == 0 ? sign : 0U) | 0x3FFF0000U | (random() % 8 == 0 ? 0x01000000U : 0U);
                break;
        }
    }
    if (kind == Values::Cancelling) {
        for (std::size_t i = 1; i < count; i += 2) {
            out[i] ^= random() % 2 != 0 ? 0x80000000U : 0U;
        }
    }
    return out;
}

inline std::vector<std::uint16_t> upper_halves(const std::vector<std::uint32_t>& values) {
    std::vector<std::uint16_t> out(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
        out[i] = static_cast<std::uint16_t>(values[i] >> 16);
    }
    return out;
}

}  // namespace kernels_test
