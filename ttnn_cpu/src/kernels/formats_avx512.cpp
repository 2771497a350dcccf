// SPDX-License-Identifier: Apache-2.0
#include "kernels/formats_avx512.hpp"
#include "kernels/formats_impl.hpp"

#if defined(__x86_64__)

// One group of 16 values is one register, so a block float needs no loop inside the group.
namespace ttnn_cpu::kernels::avx512 {
namespace {

constexpr std::size_t kGroup = 16;

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i set1(std::uint32_t value) {
    return _mm512_set1_epi32(static_cast<int>(value));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __mmask16 first_lanes(std::size_t count) {
    return static_cast<__mmask16>(count >= kGroup ? 0xFFFFU : (1U << count) - 1U);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i host_bf16(__m512i bits) {
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), set1(1));
    const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(bits, _mm512_add_epi32(odd, set1(0x7FFF))), 16);
    const __mmask16 nan = _mm512_cmpgt_epu32_mask(_mm512_and_si512(bits, set1(0x7FFFFFFF)), set1(0x7F800000));
    return _mm512_mask_mov_epi32(rounded, nan, set1(0x7FC0));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i device_bf16(__m512i bits) {
    const __m512i magnitude = _mm512_min_epu32(_mm512_and_si512(bits, set1(0x7FFFFFFF)), set1(0x7F800000));
    const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(magnitude, set1(0x8000)), 16);
    const __mmask16 normal = _mm512_cmpge_epu32_mask(rounded, set1(0x80));
    const __m512i sign = _mm512_and_si512(_mm512_srli_epi32(bits, 16), set1(0x8000));
    return _mm512_maskz_or_epi32(normal, rounded, sign);
}

// Puts the sign on top of a magnitude of kBits bits, unless the magnitude is zero.
template <int kBits>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i with_sign(__m512i magnitude, __m512i bits, int sign_bit) {
    const __m512i sign = _mm512_slli_epi32(_mm512_and_si512(_mm512_srli_epi32(bits, sign_bit), set1(1)), kBits);
    return _mm512_mask_or_epi32(magnitude, _mm512_test_epi32_mask(magnitude, magnitude), magnitude, sign);
}

template <int kBits>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i host_codes(__m512i bits, std::uint8_t* exponent) {
    constexpr std::uint32_t kDrop = 24 - kBits;
    const __m512i exp = _mm512_and_si512(_mm512_srli_epi32(bits, 23), set1(0xFF));
    const std::uint32_t largest = _mm512_reduce_max_epu32(exp);
    const __m512i significand =
        _mm512_maskz_or_epi32(_mm512_test_epi32_mask(exp, exp), _mm512_and_si512(bits, set1(0x7FFFFF)), set1(0x800000));
    const __m512i aligned = _mm512_srlv_epi32(significand, _mm512_sub_epi32(set1(largest), exp));
    const __m512i odd = _mm512_and_si512(_mm512_srli_epi32(aligned, kDrop), set1(1));
    const __m512i half = set1((1U << (kDrop - 1)) - 1U);
    const __m512i rounded = _mm512_srli_epi32(_mm512_add_epi32(aligned, _mm512_add_epi32(half, odd)), kDrop);
    *exponent = static_cast<std::uint8_t>(largest);
    return with_sign<kBits>(_mm512_min_epu32(rounded, set1((1U << kBits) - 1U)), bits, 31);
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void store_bytes(__m512i codes, std::uint8_t* out) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm512_cvtepi32_epi8(codes));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void store_nibbles(__m512i codes, std::uint8_t* out) {
    const __m512i pairs = _mm512_or_si512(codes, _mm512_srli_epi64(codes, 28));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(out), _mm512_cvtepi64_epi8(pairs));
}

// The upper 16 bits of one or two groups.
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load_two(const std::uint16_t* in, bool both) {
    return both ? _mm512_loadu_si512(in)
                : _mm512_zextsi256_si512(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load_two(const float* in, bool both) {
    const __m256i first = _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_loadu_si512(in), 16));
    const __m256i second =
        both ? _mm512_cvtepi32_epi16(_mm512_srli_epi32(_mm512_loadu_si512(in + kGroup), 16)) : _mm256_setzero_si256();
    return _mm512_inserti64x4(_mm512_castsi256_si512(first), second, 1);
}

template <int kBits, bool kPrecise, typename Value>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void device_pack(
    const Value* in, std::size_t n, std::uint8_t* packed, std::uint8_t* exponents) {
    const std::size_t groups = n / kGroup;
    std::size_t group = 0;
    const auto some = [&](bool both) TTNN_CPU_AVX512 {
        const __m512i codes =
            device_codes<kBits, kPrecise>(load_two(in + group * kGroup, both), exponents + group, both);
        store_codes<kBits>(codes, both, packed + group * (kBits == 7 ? 16 : 8));
    };
    for (; group + 2 <= groups; group += 2) {
        some(true);
    }
    if (group < groups) {
        some(false);
    }
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load_bits(const float* in) { return _mm512_loadu_si512(in); }

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load_upper(const std::uint16_t* in) {
    return _mm512_cvtepu16_epi32(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(in)));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load_nibbles(const std::uint8_t* in) {
    const __m512i pairs = _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(in)));
    return _mm512_and_si512(_mm512_or_si512(pairs, _mm512_slli_epi64(pairs, 28)), set1(0xF));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i load_bytes(const std::uint8_t* in) {
    return _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)));
}

// The float32 bits: the magnitude converted to float has its leading one found already.
template <int kBits>
TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE __m512i values(__m512i codes, std::uint8_t exponent) {
    const __m512i magnitude = _mm512_and_si512(codes, set1((1U << kBits) - 1U));
    const __m512i normalised = _mm512_castps_si512(_mm512_cvtepi32_ps(magnitude));
    const __m512i value =
        _mm512_add_epi32(normalised, _mm512_set1_epi32((static_cast<int>(exponent) - 126 - kBits) * (1 << 23)));
    const __mmask16 keep =
        _mm512_test_epi32_mask(magnitude, magnitude) & _mm512_cmpge_epi32_mask(value, set1(1U << 23));
    return _mm512_maskz_or_epi32(keep, value, _mm512_slli_epi32(_mm512_srli_epi32(codes, kBits), 31));
}

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void store_values(__m512i bits, float* out) { _mm512_storeu_si512(out, bits); }

TTNN_CPU_AVX512 TTNN_CPU_ALWAYS_INLINE void store_values(__m512i bits, std::uint16_t* out) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm512_cvtepi32_epi16(_mm512_srli_epi32(bits, 16)));
}

}  // namespace

TTNN_CPU_AVX512 void host_pack_bf16(const float* in, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; i += kGroup) {
        const __mmask16 lanes = first_lanes(n - i);
        const __m512i rounded = host_bf16(_mm512_maskz_loadu_epi32(lanes, in + i));
        store_low_halves(rounded, lanes, out + i);
    }
}

TTNN_CPU_AVX512 void pack_bf16(const float* in, std::size_t n, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; i += kGroup) {
        const __mmask16 lanes = first_lanes(n - i);
        const __m512i rounded = device_bf16(_mm512_maskz_loadu_epi32(lanes, in + i));
        store_low_halves(rounded, lanes, out + i);
    }
}

TTNN_CPU_AVX512 void unpack_bf16(const std::uint16_t* in, std::size_t n, float* out) {
    std::size_t i = 0;
    for (; i + kGroup <= n; i += kGroup) {
        _mm512_storeu_si512(out + i, _mm512_slli_epi32(load_upper(in + i), 16));
    }
    if (i < n) {
        const __mmask16 lanes = first_lanes(n - i);
        const __m512i last = _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16(lanes, in + i));
        _mm512_mask_storeu_epi32(out + i, lanes, _mm512_slli_epi32(last, 16));
    }
}

#define TTNN_CPU_PACK(name, Value, load, codes, store, bytes_per_group)                                        \
    TTNN_CPU_AVX512 void name(const Value* in, std::size_t n, std::uint8_t* packed, std::uint8_t* exponents) { \
        for (std::size_t group = 0; group < n / kGroup; ++group) {                                             \
            store(codes(load(in + group * kGroup), exponents + group), packed + group * (bytes_per_group));    \
        }                                                                                                      \
    }
TTNN_CPU_PACK(host_pack_bfp8, float, load_bits, host_codes<7>, store_bytes, 16)
TTNN_CPU_PACK(host_pack_bfp4, float, load_bits, host_codes<3>, store_nibbles, 8)
#undef TTNN_CPU_PACK

#define TTNN_CPU_DEVICE_PACK(name, Value, bits_per_value, precise)                                             \
    TTNN_CPU_AVX512 void name(const Value* in, std::size_t n, std::uint8_t* packed, std::uint8_t* exponents) { \
        device_pack<bits_per_value, precise>(in, n, packed, exponents);                                        \
    }
TTNN_CPU_DEVICE_PACK(pack_bfp8, float, 7, false)
TTNN_CPU_DEVICE_PACK(pack_bfp8, std::uint16_t, 7, false)
TTNN_CPU_DEVICE_PACK(pack_bfp8_precise, float, 7, true)
TTNN_CPU_DEVICE_PACK(pack_bfp8_precise, std::uint16_t, 7, true)
TTNN_CPU_DEVICE_PACK(pack_bfp4, float, 3, false)
TTNN_CPU_DEVICE_PACK(pack_bfp4, std::uint16_t, 3, false)
#undef TTNN_CPU_DEVICE_PACK

#define TTNN_CPU_UNPACK(name, Value, load, bits_per_value, bytes_per_group)                                           \
    TTNN_CPU_AVX512 void name(const std::uint8_t* packed, const std::uint8_t* exponents, std::size_t n, Value* out) { \
        for (std::size_t group = 0; group < n / kGroup; ++group) {                                                    \
            store_values(                                                                                             \
                values<bits_per_value>(load(packed + group * (bytes_per_group)), exponents[group]),                   \
                out + group * kGroup);                                                                                \
        }                                                                                                             \
    }
TTNN_CPU_UNPACK(unpack_bfp8, float, load_bytes, 7, 16)
TTNN_CPU_UNPACK(unpack_bfp4, float, load_nibbles, 3, 8)
TTNN_CPU_UNPACK(unpack_bfp8_to_bf16, std::uint16_t, load_bytes, 7, 16)
TTNN_CPU_UNPACK(unpack_bfp4_to_bf16, std::uint16_t, load_nibbles, 3, 8)
#undef TTNN_CPU_UNPACK

}  // namespace ttnn_cpu::kernels::avx512
#endif
