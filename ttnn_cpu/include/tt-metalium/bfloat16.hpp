// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <compare>
#include <cstdint>
#include <type_traits>

// A float32 without its low 16 bits. Conversion rounds to nearest even; a NaN becomes the quiet NaN 0x7FC0.
class bfloat16 {
public:
    constexpr bfloat16() = default;

    template <class T>
    requires std::is_arithmetic_v<T>
    constexpr bfloat16(T value) noexcept : bits_(from_float(static_cast<float>(value))) {}

    static constexpr bfloat16 truncate(float value) {
        bfloat16 result;
        result.bits_ = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
        return result;
    }

    constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits_) << 16); }

    constexpr bool operator==(bfloat16 other) const { return static_cast<float>(*this) == static_cast<float>(other); }
    constexpr std::partial_ordering operator<=>(bfloat16 other) const noexcept {
        return static_cast<float>(*this) <=> static_cast<float>(other);
    }

private:
    static constexpr std::uint16_t from_float(float value) {
        if (value != value) {
            return 0x7FC0;
        }
        const auto bits = std::bit_cast<std::uint32_t>(value);
        return static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
    }

    std::uint16_t bits_ = 0;
};
