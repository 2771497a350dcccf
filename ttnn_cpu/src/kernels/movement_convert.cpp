// SPDX-License-Identifier: Apache-2.0
#include "kernels/movement_convert.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "kernels/formats.hpp"
#include "kernels/movement_copy.hpp"
#include "kernels/parallel.hpp"
#include "kernels/simd.hpp"

namespace ttnn_cpu::kernels {
namespace {

using tt::tt_metal::DataType;

// A multiple of 16, so that block floats split between chunks at group borders.
constexpr std::size_t kChunk = 32 * 1024;
constexpr std::size_t kPart = 2048;

// The planes of a buffer, seen from its first element.
struct Planes {
    const std::byte* data;
    std::size_t elements;

    const std::uint8_t* bytes(std::size_t at) const { return reinterpret_cast<const std::uint8_t*>(data) + at; }
    const std::uint8_t* exponents(std::size_t plane_bytes, std::size_t at) const {
        return bytes(plane_bytes) + at / 16;
    }
};

void round_to_even_plain(const float* in, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const auto bits = std::bit_cast<std::uint32_t>(in[i]);
        const std::uint32_t magnitude = std::min(bits & 0x7FFFFFFFU, 0x7F800000U);
        const std::uint32_t rounded = (magnitude + 0x7FFFU + ((magnitude >> 16) & 1U)) >> 16;
        out[i] = static_cast<std::uint16_t>(rounded < 0x80U ? 0U : rounded | ((bits >> 16) & 0x8000U));
    }
}

#if defined(__x86_64__)

TTNN_CPU_AVX512 void round_to_even_avx512(const float* in, std::size_t n, std::uint16_t* out) {
    std::size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m512i bits = _mm512_loadu_si512(in + i);
        const __m512i magnitude =
            _mm512_min_epu32(_mm512_and_si512(bits, _mm512_set1_epi32(0x7FFFFFFF)), _mm512_set1_epi32(0x7F800000));
        const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(magnitude, 16), _mm512_set1_epi32(1));
        const __m512i rounded =
            _mm512_srli_epi32(_mm512_add_epi32(_mm512_add_epi32(magnitude, _mm512_set1_epi32(0x7FFF)), odd), 16);
        const __m512i sign = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(0x8000));
        const __mmask16 normal = _mm512_cmpge_epu32_mask(rounded, _mm512_set1_epi32(0x80));
        _mm256_storeu_si256(
            reinterpret_cast<__m256i*>(out + i), _mm512_cvtepi32_epi16(_mm512_maskz_or_epi32(normal, rounded, sign)));
    }
    round_to_even_plain(in + i, n - i, out + i);
}

#endif

// To nearest, ties to even; then what the packer does: NaN becomes infinity, a denormal +0.
void round_to_even(const float* in, std::size_t n, std::uint16_t* out) {
#if defined(__x86_64__)
    if (cpu_has_avx512()) {
        round_to_even_avx512(in, n, out);
        return;
    }
#endif
    round_to_even_plain(in, n, out);
}

void float_from(DataType from, const std::byte* in, std::size_t total, std::size_t at, std::size_t n, float* out) {
    const Planes planes{in, total};
    switch (from) {
        case DataType::FLOAT32:
            std::copy_n(reinterpret_cast<const float*>(in) + at, n, out);
            break;
        case DataType::BFLOAT16:
            unpack_bf16(reinterpret_cast<const std::uint16_t*>(in) + at, n, out);
            break;
        case DataType::BFLOAT8_B:
            unpack_bfp8(planes.bytes(at), planes.exponents(total, at), n, out);
            break;
        default:
            unpack_bfp4(planes.bytes(at / 2), planes.exponents(total / 2, at), n, out);
            break;
    }
}

void float_to(
    DataType to, ConvertRule rule, const float* in, std::byte* out, std::size_t total, std::size_t at, std::size_t n) {
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    const bool typecast = rule == ConvertRule::Typecast;
    switch (to) {
        case DataType::FLOAT32:
            std::copy_n(in, n, reinterpret_cast<float*>(out) + at);
            break;
        case DataType::BFLOAT16:
            (typecast ? round_to_even : pack_bf16)(in, n, reinterpret_cast<std::uint16_t*>(out) + at);
            break;
        case DataType::BFLOAT8_B:
            typecast ? pack_bfp8_precise(in, n, bytes + at, bytes + total + at / 16)
                     : pack_bfp8(in, n, bytes + at, bytes + total + at / 16);
            break;
        default:
            pack_bfp4(in, n, bytes + at / 2, bytes + total / 2 + at / 16);
            break;
    }
}

// The bfloat16 pairs that models use most, without the way through float32.
bool convert_bf16(
    DataType from, DataType to, ConvertRule rule, const std::byte* in, std::byte* out, std::size_t total,
    std::size_t at, std::size_t n) {
    const Planes planes{in, total};
    auto* bytes = reinterpret_cast<std::uint8_t*>(out);
    if (from == DataType::BFLOAT16 && to == DataType::BFLOAT8_B) {
        const auto* values = reinterpret_cast<const std::uint16_t*>(in) + at;
        rule == ConvertRule::Typecast ? pack_bfp8_precise(values, n, bytes + at, bytes + total + at / 16)
                                      : pack_bfp8(values, n, bytes + at, bytes + total + at / 16);
    } else if (from == DataType::BFLOAT16 && to == DataType::BFLOAT4_B) {
        pack_bfp4(reinterpret_cast<const std::uint16_t*>(in) + at, n, bytes + at / 2, bytes + total / 2 + at / 16);
    } else if (from == DataType::BFLOAT16 && to == DataType::FLOAT32) {
        unpack_bf16(reinterpret_cast<const std::uint16_t*>(in) + at, n, reinterpret_cast<float*>(out) + at);
    } else if (from == DataType::BFLOAT8_B && to == DataType::BFLOAT16) {
        unpack_bfp8_to_bf16(
            planes.bytes(at), planes.exponents(total, at), n, reinterpret_cast<std::uint16_t*>(out) + at);
    } else if (from == DataType::BFLOAT4_B && to == DataType::BFLOAT16) {
        unpack_bfp4_to_bf16(
            planes.bytes(at / 2), planes.exponents(total / 2, at), n, reinterpret_cast<std::uint16_t*>(out) + at);
    } else if (from == DataType::FLOAT32 && to == DataType::BFLOAT16) {
        (rule == ConvertRule::Typecast ? round_to_even : pack_bf16)(
            reinterpret_cast<const float*>(in) + at, n, reinterpret_cast<std::uint16_t*>(out) + at);
    } else {
        return false;
    }
    return true;
}

bool is_float(DataType dtype) {
    return dtype == DataType::FLOAT32 || dtype == DataType::BFLOAT16 || dtype == DataType::BFLOAT8_B ||
           dtype == DataType::BFLOAT4_B;
}

// Truncates; what does not fit becomes the smallest integer.
std::int32_t to_int32(float value) {
    return std::abs(value) < 2147483648.0F ? static_cast<std::int32_t>(value)
                                           : std::numeric_limits<std::int32_t>::min();
}

std::uint32_t to_uint32(float value) {
    if (std::signbit(value)) {
        return 0;
    }
    return value < 4294967296.0F ? static_cast<std::uint32_t>(value) : std::numeric_limits<std::uint32_t>::max();
}

// To nearest, ties away from zero, saturating.
std::uint16_t to_uint16(float value) {
    return value > 0.0F ? static_cast<std::uint16_t>(std::min(std::floor(value + 0.5F), 65535.0F)) : std::uint16_t{0};
}

void integers_from_float(DataType to, const float* in, std::size_t n, std::byte* out, std::size_t at) {
    for (std::size_t i = 0; i < n; ++i) {
        switch (to) {
            case DataType::INT32:
                reinterpret_cast<std::int32_t*>(out)[at + i] = to_int32(in[i]);
                break;
            case DataType::UINT32:
                reinterpret_cast<std::uint32_t*>(out)[at + i] = to_uint32(in[i]);
                break;
            case DataType::UINT16:
                reinterpret_cast<std::uint16_t*>(out)[at + i] = to_uint16(in[i]);
                break;
            default:
                reinterpret_cast<std::uint8_t*>(out)[at + i] =
                    static_cast<std::uint8_t>(static_cast<std::uint32_t>(to_int32(in[i])));
                break;
        }
    }
}

// Sign-extended where the type has a sign.
std::int64_t integer_at(DataType from, const std::byte* in, std::size_t at) {
    switch (from) {
        case DataType::INT32:
            return reinterpret_cast<const std::int32_t*>(in)[at];
        case DataType::UINT32:
            return reinterpret_cast<const std::uint32_t*>(in)[at];
        case DataType::UINT16:
            return reinterpret_cast<const std::uint16_t*>(in)[at];
        default:
            return reinterpret_cast<const std::uint8_t*>(in)[at];
    }
}

void floats_from_integers(DataType from, const std::byte* in, std::size_t at, std::size_t n, float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t value = integer_at(from, in, at + i);
        // The card casts 31 bits and adds the last one after.
        out[i] = static_cast<float>(static_cast<std::int32_t>(value & 0x7FFFFFFF));
        if (value < 0) {
            out[i] = static_cast<float>(value);
        } else if (value > 0x7FFFFFFF) {
            out[i] += 2147483648.0F;
        }
    }
}

void integers_from_integers(
    DataType from, DataType to, const std::byte* in, std::byte* out, std::size_t at, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
        const std::int64_t value = integer_at(from, in, at + i);
        switch (to) {
            case DataType::UINT16:
                reinterpret_cast<std::uint16_t*>(out)[at + i] =
                    static_cast<std::uint16_t>(std::clamp<std::int64_t>(value, 0, 0xFFFF));
                break;
            case DataType::UINT8:
                reinterpret_cast<std::uint8_t*>(out)[at + i] = static_cast<std::uint8_t>(value & 0xFF);
                break;
            default:
                reinterpret_cast<std::uint32_t*>(out)[at + i] = static_cast<std::uint32_t>(value & 0xFFFFFFFF);
                break;
        }
    }
}

void convert_part(
    DataType from, DataType to, ConvertRule rule, const std::byte* in, std::byte* out, std::size_t total,
    std::size_t at, std::size_t n) {
    if (!is_float(from) && !is_float(to)) {
        integers_from_integers(from, to, in, out, at, n);
        return;
    }
    float values[kPart];
    if (is_float(from)) {
        float_from(from, in, total, at, n, values);
    } else {
        floats_from_integers(from, in, at, n, values);
        if (to != DataType::FLOAT32) {
            // The SFPU rounds to bfloat16, ties away from zero, before the packer sees the value.
            for (std::size_t i = 0; i < n; ++i) {
                values[i] = bf16_to_float(bf16_round_away(values[i]));
            }
        }
    }
    if (is_float(to)) {
        float_to(to, rule, values, out, total, at, n);
    } else {
        integers_from_float(to, values, n, out, at);
    }
}

std::size_t bytes_of(DataType dtype, std::size_t elements) {
    switch (dtype) {
        case DataType::FLOAT32:
        case DataType::INT32:
        case DataType::UINT32:
            return elements * 4;
        case DataType::BFLOAT16:
        case DataType::UINT16:
            return elements * 2;
        case DataType::BFLOAT8_B:
            return elements + elements / 16;
        case DataType::BFLOAT4_B:
            return elements / 2 + elements / 16;
        default:
            return elements;
    }
}

}  // namespace

void convert(DataType from, DataType to, ConvertRule rule, std::size_t elements, const std::byte* in, std::byte* out) {
    if (from == to) {
        copy_bytes(bytes_of(from, elements), in, out);
        return;
    }
    parallel_for((elements + kChunk - 1) / kChunk, [&](std::size_t chunk) {
        const std::size_t begin = chunk * kChunk;
        const std::size_t end = std::min(elements, begin + kChunk);
        if (convert_bf16(from, to, rule, in, out, elements, begin, end - begin)) {
            return;
        }
        for (std::size_t at = begin; at < end; at += kPart) {
            convert_part(from, to, rule, in, out, elements, at, std::min(kPart, end - at));
        }
    });
}

}  // namespace ttnn_cpu::kernels
