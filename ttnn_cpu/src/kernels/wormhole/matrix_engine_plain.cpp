// SPDX-License-Identifier: Apache-2.0
#include "kernels/simd.hpp"
#include "kernels/wormhole/matrix_engine_isa.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace ttnn_cpu::kernels::wormhole {
namespace {

// Short loops over 16-bit lanes, which any compiler turns into what the machine has.
struct Plain {
    static constexpr std::size_t kLanes = 8;
    using Vec = std::array<std::int16_t, kLanes>;

    template <class Function>
    static Vec each(Function function) {
        Vec out;
        for (std::size_t i = 0; i < kLanes; ++i) {
            out[i] = static_cast<std::int16_t>(function(i));
        }
        return out;
    }
    static int bits(std::int16_t v) { return static_cast<std::uint16_t>(v); }

    static Vec load(const void* from) {
        Vec out;
        std::memcpy(out.data(), from, sizeof(Vec));
        return out;
    }
    static void store(void* to, const Vec& v) { std::memcpy(to, v.data(), sizeof(Vec)); }
    static Vec broadcast_pair(const std::uint32_t* pair) { return set1(static_cast<int>(*pair & 0xFFFFU)); }
    static Vec set1(int v) {
        return each([v](std::size_t) { return v; });
    }
    static Vec add(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return a[i] + b[i]; });
    }
    static Vec adds(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return std::clamp(a[i] + b[i], -32768, 32767); });
    }
    static Vec sub(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return a[i] - b[i]; });
    }
    static Vec max(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return std::max(a[i], b[i]); });
    }
    static Vec min_unsigned(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return std::min(bits(a[i]), bits(b[i])); });
    }
    static Vec mulhi(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return (a[i] * b[i]) >> 16; });
    }
    static Vec mulhrs(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return (a[i] * b[i] + 0x4000) >> 15; });
    }
    static Vec bit_and(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return a[i] & b[i]; });
    }
    static Vec bit_or(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return a[i] | b[i]; });
    }
    static Vec bit_xor(const Vec& a, const Vec& b) {
        return each([&](std::size_t i) { return a[i] ^ b[i]; });
    }
    template <int kBits>
    static Vec shift_left(const Vec& v) {
        return each([&](std::size_t i) { return bits(v[i]) << kBits; });
    }
    template <int kBits>
    static Vec shift_right(const Vec& v) {
        return each([&](std::size_t i) { return bits(v[i]) >> kBits; });
    }
    template <int kBits>
    static Vec shift_right_signed(const Vec& v) {
        return each([&](std::size_t i) { return v[i] >> kBits; });
    }
    // 2^(kTop - down), 0 once that is below 1; `down` is never negative.
    template <int kTop>
    static Vec power_of_two(const Vec& down) {
        return each([&](std::size_t i) { return (1 << kTop) >> std::min<int>(down[i], 16); });
    }
    // 2 for a weight of 1, 1 for a weight of 2, 0 for larger ones; anything for 0.
    static Vec second_rounding(const Vec& weight) {
        return each([&](std::size_t i) { return 4 >> std::min(bits(weight[i]), 16); });
    }
    static Vec zero_unless_positive(const Vec& test, const Vec& v) {
        return each([&](std::size_t i) { return test[i] > 0 ? v[i] : 0; });
    }
    static Vec where_zero(const Vec& test, const Vec& then, const Vec& otherwise) {
        return each([&](std::size_t i) { return test[i] == 0 ? then[i] : otherwise[i]; });
    }
    static Vec zero_below(const Vec& test, int least, const Vec& v) {
        return each([&](std::size_t i) { return bits(test[i]) >= least ? v[i] : 0; });
    }
    // The bfloat16 (halves away from zero) of an unsigned integer.
    static Vec round_magnitude(const Vec& v) {
        return each([&](std::size_t i) {
            return (std::bit_cast<std::uint32_t>(static_cast<float>(bits(v[i]))) + 0x8000U) >> 16;
        });
    }
};

#include "kernels/wormhole/matrix_engine_core.hpp"

constexpr EngineIsa kPlain{"plain", pack_in0, pack_in1, mvmul_tile16<Plain>, mvmul_tile32<Plain>, accumulate_l1_bf16};

}  // namespace

const EngineIsa* engine_plain() { return &kPlain; }

const EngineIsa& best_engine() {
    if (isa() >= Isa::Avx512 && engine_avx512() != nullptr) {
        return *engine_avx512();
    }
    return *(isa() >= Isa::Avx2 && engine_avx2() != nullptr ? engine_avx2() : engine_plain());
}

}  // namespace ttnn_cpu::kernels::wormhole
