// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_engine_isa.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__)
#include <immintrin.h>

#include <algorithm>
#include <bit>

// GCC 12 takes the undefined vectors inside its own intrinsics for ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC push_options
#pragma GCC target("avx512f,avx512bw,avx512vl,avx512dq,avx512cd,prefer-vector-width=512")

namespace ttnn_cpu::kernels::wormhole {
namespace {

struct Avx512 {
    using Vec = __m512i;
    static constexpr std::size_t kLanes = 32;

    static Vec load(const void* from) { return _mm512_loadu_si512(from); }
    static void store(void* to, Vec v) { _mm512_storeu_si512(to, v); }
    static Vec broadcast_pair(const std::uint32_t* pair) { return _mm512_set1_epi32(static_cast<int>(*pair)); }
    static Vec set1(int v) { return _mm512_set1_epi16(static_cast<short>(v)); }
    static Vec add(Vec a, Vec b) { return _mm512_add_epi16(a, b); }
    static Vec adds(Vec a, Vec b) { return _mm512_adds_epi16(a, b); }
    static Vec sub(Vec a, Vec b) { return _mm512_sub_epi16(a, b); }
    static Vec max(Vec a, Vec b) { return _mm512_max_epi16(a, b); }
    static Vec min_unsigned(Vec a, Vec b) { return _mm512_min_epu16(a, b); }
    static Vec mulhi(Vec a, Vec b) { return _mm512_mulhi_epi16(a, b); }
    static Vec mulhrs(Vec a, Vec b) { return _mm512_mulhrs_epi16(a, b); }
    static Vec bit_and(Vec a, Vec b) { return _mm512_and_si512(a, b); }
    static Vec bit_or(Vec a, Vec b) { return _mm512_or_si512(a, b); }
    static Vec bit_xor(Vec a, Vec b) { return _mm512_xor_si512(a, b); }
    template <int kBits>
    static Vec shift_left(Vec v) {
        return _mm512_slli_epi16(v, kBits);
    }
    template <int kBits>
    static Vec shift_right(Vec v) {
        return _mm512_srli_epi16(v, kBits);
    }
    template <int kBits>
    static Vec shift_right_signed(Vec v) {
        return _mm512_srai_epi16(v, kBits);
    }
    // 2^(kTop - down), 0 once that is below 1; `down` is never negative.
    template <int kTop>
    static Vec power_of_two(Vec down) {
        return _mm512_srlv_epi16(set1(1 << kTop), down);
    }
    // 2 for a weight of 1, 1 for a weight of 2, 0 for larger ones; anything for 0.
    static Vec second_rounding(Vec weight) { return _mm512_srlv_epi16(set1(4), weight); }
    static Vec zero_unless_positive(Vec test, Vec v) {
        return _mm512_maskz_mov_epi16(_mm512_cmpgt_epi16_mask(test, _mm512_setzero_si512()), v);
    }
    static Vec where_zero(Vec test, Vec then, Vec otherwise) {
        return _mm512_mask_mov_epi16(otherwise, _mm512_testn_epi16_mask(test, test), then);
    }
    static Vec zero_below(Vec test, int least, Vec v) {
        return _mm512_maskz_mov_epi16(_mm512_cmpge_epu16_mask(test, set1(least)), v);
    }
    // The bfloat16 (halves away from zero) of an unsigned integer.
    static Vec round_magnitude(Vec v) {
        const Vec zero = _mm512_setzero_si512();
        const Vec half = _mm512_set1_epi32(0x8000);
        const Vec low = _mm512_castps_si512(_mm512_cvtepi32_ps(_mm512_unpacklo_epi16(v, zero)));
        const Vec high = _mm512_castps_si512(_mm512_cvtepi32_ps(_mm512_unpackhi_epi16(v, zero)));
        return _mm512_packus_epi32(
            _mm512_srli_epi32(_mm512_add_epi32(low, half), 16), _mm512_srli_epi32(_mm512_add_epi32(high, half), 16));
    }
};

#include "kernels/wormhole/matrix_engine_core.hpp"

constexpr EngineIsa kAvx512{"avx512",          pack_in0, pack_in1, mvmul_tile16<Avx512>, mvmul_tile32<Avx512>,
                            accumulate_l1_bf16};

}  // namespace
}  // namespace ttnn_cpu::kernels::wormhole

#pragma GCC pop_options
#pragma GCC diagnostic pop

namespace ttnn_cpu::kernels::wormhole {
const EngineIsa* engine_avx512() {
    static const bool supported = __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
                                  __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512cd");
    return supported ? &kAvx512 : nullptr;
}
}  // namespace ttnn_cpu::kernels::wormhole
#else
namespace ttnn_cpu::kernels::wormhole {
const EngineIsa* engine_avx512() { return nullptr; }
}  // namespace ttnn_cpu::kernels::wormhole
#endif
