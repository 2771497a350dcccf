// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

// Conversions between float32 and the stored formats. A block float comes as two planes: magnitudes (bfloat8_b: one
// byte a value, bit 7 the sign; bfloat4_b: a nibble, low nibble first, bit 3 the sign) and one exponent byte for 16
// consecutive values; n is then a multiple of 16. in and out may not overlap.
namespace ttnn_cpu::kernels {

// The host's rule: to nearest, ties to even; any NaN becomes 0x7FC0.
inline std::uint16_t bf16_round_even(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        return 0x7FC0;
    }
    return static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16) & 1U)) >> 16);
}

// The device packer's rule for a float32 destination: to nearest, ties away from zero; NaN becomes infinity, a denormal
// +0.
inline std::uint16_t bf16_round_away(float value) {
    auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7FFFFFFFU) > 0x7F800000U) {
        bits = (bits & 0x80000000U) | 0x7F800000U;
    }
    const std::uint32_t rounded = (bits + 0x8000U) >> 16;
    return static_cast<std::uint16_t>((rounded & 0x7FFFU) < 0x80U ? 0U : rounded);
}

inline std::uint16_t bf16_truncate(float value) {
    return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(value) >> 16);
}

inline float bf16_to_float(std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }

// Host packing, as from_vector does: bfloat16 by bf16_round_even; block floats aligned to the largest exponent of the
// group (bits shifted out are lost), then rounded to nearest even, saturating.
void host_pack_bf16(const float* in, std::size_t n, std::uint16_t* out);
void host_pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void host_pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);

// Device packing at the end of an op: bfloat16 by bf16_round_away. Block floats see the upper 16 bits of the
// destination, rounded first to 6 fraction bits, then, aligned to the group, half away from zero; bfloat4_b keeps the
// upper bits of that magnitude.
void pack_bf16(const float* in, std::size_t n, std::uint16_t* out);
void pack_bfp8(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp4(const float* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);

// As pack_bfp8 without the first rounding: what ttnn::typecast to BFLOAT8_B asks for.
void pack_bfp8_precise(const float* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);

// The same from bfloat16 values.
void pack_bfp8(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);
void pack_bfp4(const std::uint16_t* in, std::size_t n, std::uint8_t* nibbles, std::uint8_t* exponents);
void pack_bfp8_precise(const std::uint16_t* in, std::size_t n, std::uint8_t* magnitudes, std::uint8_t* exponents);

// Exact. A block value below the smallest normal number becomes +0.
void unpack_bf16(const std::uint16_t* in, std::size_t n, float* out);
void unpack_bfp8(const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, float* out);
void unpack_bfp4(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, float* out);
void unpack_bfp8_to_bf16(
    const std::uint8_t* magnitudes, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out);
void unpack_bfp4_to_bf16(const std::uint8_t* nibbles, const std::uint8_t* exponents, std::size_t n, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels
