// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>

#include "kernels/formats_impl.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels::portable {
namespace {

constexpr std::size_t kGroup = 16;

// Rounds off the low bits of a 24-bit significand so that kBits remain, ties to even, saturating.
template <std::uint32_t kBits>
TTNN_CPU_ALWAYS_INLINE void host_pack_group(const float* in, std::uint32_t* codes, std::uint8_t* exponent) {
    constexpr std::uint32_t kDrop = 24 - kBits;
    std::uint32_t bits[kGroup];
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
        bits[i] = std::bit_cast<std::uint32_t>(in[i]);
        largest = std::max(largest, (bits[i] >> 23) & 0xFFU);
    }
    for (std::size_t i = 0; i < kGroup; ++i) {
        const std::uint32_t exp = (bits[i] >> 23) & 0xFFU;
        const std::uint32_t significand = exp == 0 ? 0U : (bits[i] & 0x7FFFFFU) | 0x800000U;
        const std::uint32_t aligned = significand >> std::min(largest - exp, 31U);
        const std::uint32_t rounded = (aligned + ((1U << (kDrop - 1)) - 1U) + ((aligned >> kDrop) & 1U)) >> kDrop;
        const std::uint32_t magnitude = std::min(rounded, (1U << kBits) - 1U);
        codes[i] = magnitude | (magnitude == 0 ? 0U : (bits[i] >> 31) << kBits);
    }
    *exponent = static_cast<std::uint8_t>(largest);
}

TTNN_CPU_ALWAYS_INLINE std::uint32_t upper_bits(float value) { return std::bit_cast<std::uint32_t>(value) >> 16; }
TTNN_CPU_ALWAYS_INLINE std::uint32_t upper_bits(std::uint16_t value) { return value; }

// kPrecise leaves out the packer's early rounding to 6 fraction bits.
template <std::uint32_t kBits, bool kPrecise, typename Value>
TTNN_CPU_ALWAYS_INLINE void pack_group(const Value* in, std::uint32_t* codes, std::uint8_t* exponent) {
    std::uint32_t bits[kGroup];
    std::uint32_t largest = 0;
    for (std::size_t i = 0; i < kGroup; ++i) {
        const std::uint32_t raw = upper_bits(in[i]);
        const std::uint32_t magnitude = std::min(raw & 0x7FFFU, 0x7F80U);
        const std::uint32_t flushed = magnitude < 0x80U ? 0U : (raw & 0x8000U) | magnitude;
        bits[i] = kPrecise ? flushed : (flushed + 1U) & 0xFFFEU;
        largest = std::max(largest, (bits[i] >> 7) & 0xFFU);
    }
    for (std::size_t i = 0; i < kGroup; ++i) {
        const std::uint32_t exp = (bits[i] >> 7) & 0xFFU;
        const std::uint32_t significand = exp == 0 ? 0U : (bits[i] & 0x7FU) | 0x80U;
        const std::uint32_t shift = std::min(largest - exp, 16U);
        const std::uint32_t rounded = std::min((significand + (1U << shift)) >> (shift + 1U), 127U);
        const std::uint32_t magnitude = rounded >> (7 - kBits);
        codes[i] = magnitude | (magnitude == 0 ? 0U : (bits[i] >> 15) << kBits);
    }
    *exponent = static_cast<std::uint8_t>(largest);
}

TTNN_CPU_ALWAYS_INLINE void store_bytes(const std::uint32_t* codes, std::uint8_t* out) {
    for (std::size_t i = 0; i < kGroup; ++i) {
        out[i] = static_cast<std::uint8_t>(codes[i]);
    }
}

TTNN_CPU_ALWAYS_INLINE void store_nibbles(const std::uint32_t* codes, std::uint8_t* out) {
    for (std::size_t i = 0; i < kGroup / 2; ++i) {
        out[i] = static_cast<std::uint8_t>(codes[2 * i] | (codes[2 * i + 1] << 4));
    }
}

template <bool kPrecise, typename Value>
TTNN_CPU_ALWAYS_INLINE void pack_bfp8_groups(
    const Value* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        std::uint32_t codes[kGroup];
        pack_group<7, kPrecise>(in + group * kGroup, codes, exponents + group);
        store_bytes(codes, magnitudes + group * kGroup);
    }
}

template <typename Value>
TTNN_CPU_ALWAYS_INLINE void pack_bfp4_groups(
    const Value* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        std::uint32_t codes[kGroup];
        pack_group<3, false>(in + group * kGroup, codes, exponents + group);
        store_nibbles(codes, nibbles + group * kGroup / 2);
    }
}

// The float32 bits of a magnitude of kBits bits: the integer converted to float has the leading one found already.
template <std::uint32_t kBits>
TTNN_CPU_ALWAYS_INLINE std::uint32_t block_value_bits(std::uint32_t code, std::uint32_t exponent) {
    const std::uint32_t magnitude = code & ((1U << kBits) - 1U);
    const auto normalised = std::bit_cast<std::int32_t>(static_cast<float>(static_cast<std::int32_t>(magnitude)));
    const std::int32_t value =
        normalised + ((static_cast<std::int32_t>(exponent) - 126 - static_cast<std::int32_t>(kBits)) * (1 << 23));
    const std::uint32_t sign = (code >> kBits) << 31;
    return magnitude == 0 || value < (1 << 23) ? 0U : static_cast<std::uint32_t>(value) | sign;
}

TTNN_CPU_ALWAYS_INLINE std::uint32_t nibble_at(const std::uint8_t* nibbles, std::size_t i) {
    return (static_cast<std::uint32_t>(nibbles[i / 2]) >> (4 * (i % 2))) & 0xFU;
}

}  // namespace

TTNN_CPU_SIMD_CLONES void host_pack_bf16(const float* in, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(in[i]);
        const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16;
        out[i] = static_cast<std::uint16_t>((bits & 0x7FFFFFFFU) > 0x7F800000U ? 0x7FC0U : rounded);
    }
}

TTNN_CPU_SIMD_CLONES void host_pack_bfp8(
    const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        std::uint32_t codes[kGroup];
        host_pack_group<7>(in + group * kGroup, codes, exponents + group);
        store_bytes(codes, magnitudes + group * kGroup);
    }
}

TTNN_CPU_SIMD_CLONES void host_pack_bfp4(
    const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        std::uint32_t codes[kGroup];
        host_pack_group<3>(in + group * kGroup, codes, exponents + group);
        store_nibbles(codes, nibbles + group * kGroup / 2);
    }
}

TTNN_CPU_SIMD_CLONES void pack_bf16(const float* in, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(in[i]);
        const std::uint32_t magnitude = std::min(bits & 0x7FFFFFFFU, 0x7F800000U);
        const std::uint32_t rounded = (magnitude + 0x8000U) >> 16;
        out[i] = static_cast<std::uint16_t>(rounded < 0x80U ? 0U : rounded | ((bits >> 16) & 0x8000U));
    }
}

TTNN_CPU_SIMD_CLONES void pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    pack_bfp8_groups<false>(in, n, magnitudes, exponents);
}

TTNN_CPU_SIMD_CLONES void pack_bfp8(
    const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    pack_bfp8_groups<false>(in, n, magnitudes, exponents);
}

TTNN_CPU_SIMD_CLONES void pack_bfp8_precise(
    const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    pack_bfp8_groups<true>(in, n, magnitudes, exponents);
}

TTNN_CPU_SIMD_CLONES void pack_bfp8_precise(
    const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents) {
    pack_bfp8_groups<true>(in, n, magnitudes, exponents);
}

TTNN_CPU_SIMD_CLONES void pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    pack_bfp4_groups(in, n, nibbles, exponents);
}

TTNN_CPU_SIMD_CLONES void pack_bfp4(
    const std::uint16_t* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents) {
    pack_bfp4_groups(in, n, nibbles, exponents);
}

TTNN_CPU_SIMD_CLONES void unpack_bf16(const std::uint16_t* in, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = std::bit_cast<float>(static_cast<std::uint32_t>(in[i]) << 16);
    }
}

TTNN_CPU_SIMD_CLONES void unpack_bfp8(
    const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, float* out) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            out[group * kGroup + i] =
                std::bit_cast<float>(block_value_bits<7>(magnitudes[group * kGroup + i], exponents[group]));
        }
    }
}

TTNN_CPU_SIMD_CLONES void unpack_bfp8_to_bf16(
    const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            out[group * kGroup + i] =
                static_cast<std::uint16_t>(block_value_bits<7>(magnitudes[group * kGroup + i], exponents[group]) >> 16);
        }
    }
}

TTNN_CPU_SIMD_CLONES void unpack_bfp4(
    const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, float* out) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            out[group * kGroup + i] =
                std::bit_cast<float>(block_value_bits<3>(nibble_at(nibbles + group * kGroup / 2, i), exponents[group]));
        }
    }
}

TTNN_CPU_SIMD_CLONES void unpack_bfp4_to_bf16(
    const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out) {
    for (std::size_t group = 0; group < n / kGroup; ++group) {
        for (std::size_t i = 0; i < kGroup; ++i) {
            out[group * kGroup + i] = static_cast<std::uint16_t>(
                block_value_bits<3>(nibble_at(nibbles + group * kGroup / 2, i), exponents[group]) >> 16);
        }
    }
}

}  // namespace ttnn_cpu::kernels::portable
