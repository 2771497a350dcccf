// SPDX-License-Identifier: Apache-2.0
#include "kernels/wormhole/matrix_sdpa_functions.hpp"

#include "kernels/sfpu_functions.hpp"
#include "kernels/sfpu_unit.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"

#include <array>
#include <map>
#include <memory>
#include <mutex>

namespace ttnn_cpu::kernels::wormhole {
namespace {

using Table = std::array<std::uint16_t, 65536>;

float to_float(std::uint16_t bits) { return sfpu::from_bits(widen_bf16(bits)); }
std::uint16_t stored(float value) { return static_cast<std::uint16_t>(sfpu::bits_of(sfpu::store_bf16(value)) >> 16); }

std::uint16_t fast_exp(std::uint16_t x, float slope) {
    const float fixed_point = sfpu::mad(slope, to_float(x), 32500.818359375F);
    if (sfpu::negative(fixed_point)) {
        return 0;
    }
    return pack_bf16_from_dst16(stored(sfpu::from_bits(sfpu::to_integer(fixed_point, 32767) << 15)));
}

// The first-column polynomial of degree 2 for the accurate setting.
float polynomial_exp(float x) {
    const float powers = sfpu::mul(x, 1.44269504088896340736F);
    const std::uint32_t size = sfpu::to_integer(powers, 127);
    const float whole = sfpu::negative(powers) ? -static_cast<float>(size) : static_cast<float>(size);
    const float rest = sfpu::mad(whole, -0.69314718055994530942F, x);
    const float refined = sfpu::polynomial(
        rest, 0.999848792924395313327307061545061386175496934006F,
        1.01508760098521056684783640695492761469306929535975F, 0.50628367056745568861842335616023694454759126020461F);
    const float biased = sfpu::add(whole, 127.0F);
    if (!sfpu::greater(biased, 0.0F)) {
        return 0.0F;
    }
    const float scale = sfpu::set_exponent(0.0F, static_cast<int>(sfpu::to_integer(biased, 255)));
    return sfpu::mul(refined, scale);
}

}  // namespace

const std::uint16_t* sdpa_exp_table(float scale) {
    static std::mutex mutex;
    static std::map<std::uint32_t, std::unique_ptr<Table>> tables;
    const std::lock_guard lock(mutex);
    std::unique_ptr<Table>& table = tables[sfpu::bits_of(scale)];
    if (table == nullptr) {
        constexpr float kSlope = 256.0F * 1.4426950408889634F;
        const float slope = kSlope * scale;
        table = std::make_unique<Table>();
        for (std::size_t i = 0; i < table->size(); ++i) {
            (*table)[i] = fast_exp(static_cast<std::uint16_t>(i), slope);
        }
    }
    return table->data();
}

std::uint16_t sdpa_exp_of_difference(std::uint16_t x, float scale, bool approx) {
    const float scaled = sfpu::mul(to_float(x), sfpu::from_bits(sfpu::bits_of(scale) & 0xFFFF0000U));
    const float value = approx ? sfpu::exp_inline(scaled) : polynomial_exp(scaled);
    return pack_bf16_from_dst16(stored(sfpu::round_bf16(value)));
}

std::uint16_t sdpa_reciprocal(std::uint16_t x, bool approx) {
    constexpr float kGuess = 1.442695F;
    const float value = to_float(x);
    const float scaled = sfpu::set_exponent(sfpu::copy_sign(value, -1.0F), 126);
    float result = sfpu::mul(kGuess, sfpu::mad(scaled, kGuess, 2.0F));
    for (int step = 1; step < (approx ? 2 : 3); ++step) {
        result = sfpu::mul(result, sfpu::mad(scaled, result, 2.0F));
    }
    const int exponent = sfpu::exponent(result) - sfpu::exponent(value) + 126;
    const float out = exponent < 0 ? 0.0F : sfpu::set_exponent(result, exponent);
    return pack_bf16_from_dst16(stored(approx ? out : sfpu::round_bf16(out)));
}

}  // namespace ttnn_cpu::kernels::wormhole
