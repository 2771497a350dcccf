// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_engine_isa.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#include <immintrin.h>

#include <algorithm>
#include <bit>

#pragma GCC push_options
#pragma GCC target("avx2")

namespace ttnn_cpu::kernels::wormhole {
namespace {

struct Avx2 {
    using Vec = __m256i;
    static constexpr std::size_t kLanes = 16;

    static Vec load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
    static void store(void* to, Vec v) { _mm256_storeu_si256(static_cast<__m256i*>(to), v); }
    static Vec broadcast_pair(const std::uint32_t* pair) { return _mm256_set1_epi32(static_cast<int>(*pair)); }
    static Vec set1(int v) { return _mm256_set1_epi16(static_cast<short>(v)); }
    static Vec add(Vec a, Vec b) { return _mm256_add_epi16(a, b); }
    static Vec adds(Vec a, Vec b) { return _mm256_adds_epi16(a, b); }
    static Vec sub(Vec a, Vec b) { return _mm256_sub_epi16(a, b); }
    static Vec max(Vec a, Vec b) { return _mm256_max_epi16(a, b); }
    static Vec min_unsigned(Vec a, Vec b) { return _mm256_min_epu16(a, b); }
    static Vec mulhi(Vec a, Vec b) { return _mm256_mulhi_epi16(a, b); }
    static Vec mulhrs(Vec a, Vec b) { return _mm256_mulhrs_epi16(a, b); }
    static Vec bit_and(Vec a, Vec b) { return _mm256_and_si256(a, b); }
    static Vec bit_or(Vec a, Vec b) { return _mm256_or_si256(a, b); }
    static Vec bit_xor(Vec a, Vec b) { return _mm256_xor_si256(a, b); }
    template <int kBits>
    static Vec shift_left(Vec v) {
        return _mm256_slli_epi16(v, kBits);
    }
    template <int kBits>
    static Vec shift_right(Vec v) {
        return _mm256_srli_epi16(v, kBits);
    }
    template <int kBits>
    static Vec shift_right_signed(Vec v) {
        return _mm256_srai_epi16(v, kBits);
    }
    // 2^(kTop - down), 0 once that is below 1; `down` is never negative. A byte shuffle looks up 2^t for the low byte
    // and 2^(t-8) for the high byte; indices with the top bit set, and 8 to 15, read as 0.
    template <int kTop>
    static Vec power_of_two(Vec down) {
        const Vec table = _mm256_setr_epi8(
            1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0, 0, 0, 0, 0, 0);
        const Vec power = _mm256_max_epi16(_mm256_sub_epi16(set1(kTop), down), set1(-100));
        const Vec index = _mm256_sub_epi16(_mm256_mullo_epi16(power, set1(0x0101)), set1(0x0800));
        return _mm256_shuffle_epi8(table, index);
    }
    // 2 for a weight of 1, 1 for a weight of 2, 0 for larger ones; anything for 0.
    static Vec second_rounding(Vec weight) {
        const Vec one = _mm256_cmpeq_epi16(weight, set1(1));
        const Vec two = _mm256_cmpeq_epi16(weight, set1(2));
        return _mm256_or_si256(_mm256_and_si256(one, set1(2)), _mm256_and_si256(two, set1(1)));
    }
    static Vec zero_unless_positive(Vec test, Vec v) {
        return _mm256_and_si256(_mm256_cmpgt_epi16(test, _mm256_setzero_si256()), v);
    }
    static Vec where_zero(Vec test, Vec then, Vec otherwise) {
        return _mm256_blendv_epi8(otherwise, then, _mm256_cmpeq_epi16(test, _mm256_setzero_si256()));
    }
    static Vec zero_below(Vec test, int least, Vec v) {
        return _mm256_and_si256(_mm256_cmpeq_epi16(_mm256_max_epu16(test, set1(least)), test), v);
    }
    // The bfloat16 (halves away from zero) of an unsigned integer.
    static Vec round_magnitude(Vec v) {
        const Vec zero = _mm256_setzero_si256();
        const Vec half = _mm256_set1_epi32(0x8000);
        const Vec low = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_unpacklo_epi16(v, zero)));
        const Vec high = _mm256_castps_si256(_mm256_cvtepi32_ps(_mm256_unpackhi_epi16(v, zero)));
        return _mm256_packus_epi32(
            _mm256_srli_epi32(_mm256_add_epi32(low, half), 16), _mm256_srli_epi32(_mm256_add_epi32(high, half), 16));
    }
};

#include "kernels/wormhole/matrix_engine_core.hpp"

constexpr EngineIsa kAvx2{"avx2", pack_in0, pack_in1, mvmul_tile16<Avx2>, mvmul_tile32<Avx2>, accumulate_l1_bf16};

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole

#pragma GCC pop_options

namespace ttnn_cpu::kernels::wormhole {
const EngineIsa* engine_avx2() {
    static const bool supported = __builtin_cpu_supports("avx2");
    return supported ? &kAvx2 : nullptr;
}
}  // namespace ttnn_cpu::kernels::wormhole
#else
namespace ttnn_cpu::kernels::wormhole {
const EngineIsa* engine_avx2() { return nullptr; }
}  // namespace ttnn_cpu::kernels::wormhole
#endif
