// SPDX-License-Identifier: Apache-2.0
#include "zoo/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;
constexpr std::size_t kBlock = 512;

std::uint64_t mix(std::uint64_t z) {
    z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31U);
}

std::uint64_t draw(std::uint64_t key, std::uint64_t counter) { return mix(key + (counter + 1) * kGolden); }

// 24 bits: every value is a float, and 1 is never reached.
float unit(std::uint32_t bits) { return static_cast<float>(static_cast<std::int32_t>(bits >> 8U)) * 0x1p-24F; }

// Natural logarithm of u in [2^-33, 1], within 2 units in the last place; 0 for 1, never positive.
inline float log_unit(float u) {
    // Split into 2^exponent * m with m in [sqrt(1/2), sqrt(2)), so that values near 1 keep their precision.
    const auto bits = std::bit_cast<std::int32_t>(u) - 0x3F3504F3;
    const auto exponent = static_cast<float>(bits >> 23);
    const float m = std::bit_cast<float>((bits & 0x007FFFFF) + 0x3F3504F3);
    // log m = 2 artanh(s) with s = (m - 1) / (m + 1), |s| < 0.1716.
    const float s = (m - 1.0F) / (m + 1.0F);
    const float s2 = s * s;
    const float series = 2.0F + s2 * (0.66666667F + s2 * (0.4F + s2 * (0.28571429F + s2 * 0.22222222F)));
    return exponent * 0.69314718F + s * series;
}

struct Pair {
    float first;
    float second;
};

// Box-Muller: `high` gives the radius, `low` the angle. Free of branches, so that the loop over a block vectorises.
inline Pair standard_normal(std::uint32_t high, std::uint32_t low) {
    // (high + 1/2) / 2^32 through two exact 16 bit halves: there is no vector conversion from unsigned.
    const float u = static_cast<float>(static_cast<std::int32_t>(high >> 16U)) * 0x1p-16F +
                    (static_cast<float>(static_cast<std::int32_t>(high & 0xFFFFU)) + 0.5F) * 0x1p-32F;
    const float radius = std::sqrt(-2.0F * log_unit(u));
    // Two bits choose the quadrant, the rest an angle in [-pi/4, pi/4) around its middle.
    const float angle = static_cast<float>(static_cast<std::int32_t>(low << 2U)) * (0x1p-32F * 1.5707964F);
    const float a2 = angle * angle;
    const float sine = angle * (1.0F + a2 * (-0.16666667F + a2 * (8.3333333e-3F + a2 * -1.9841270e-4F)));
    const float cosine = 1.0F + a2 * (-0.5F + a2 * (4.1666667e-2F + a2 * (-1.3888889e-3F + a2 * 2.4801587e-5F)));
    // Bit 30 turns by 90 degrees, (c, s) to (s, -c); bit 31 by 180.
    const auto c = std::bit_cast<std::uint32_t>(radius * cosine);
    const auto s = std::bit_cast<std::uint32_t>(radius * sine);
    const std::uint32_t turn = 0U - ((low >> 30U) & 1U);
    const std::uint32_t half_turn = low & 0x80000000U;
    const std::uint32_t exchange = (c ^ s) & turn;
    return {
        std::bit_cast<float>(c ^ exchange ^ half_turn),
        std::bit_cast<float>(s ^ exchange ^ half_turn ^ (turn & 0x80000000U))};
}

}  // namespace

Random Random::stream(std::string_view name) const {
    std::uint64_t key = mix(key_ ^ kGolden);
    for (const char letter : name) {
        key = mix(key ^ static_cast<unsigned char>(letter)) + kGolden;
    }
    return Random(key);
}

std::uint64_t Random::bits() { return draw(key_, counter_++); }

float Random::uniform(float lo, float hi) {
    float value = lo;
    fill_uniform({&value, 1}, lo, hi);
    return value;
}

float Random::normal(float mean, float stddev) {
    float value = mean;
    fill_normal({&value, 1}, mean, stddev);
    return value;
}

std::int64_t Random::integer(std::int64_t lo, std::int64_t hi) {
    if (lo > hi) {
        fail("Random::integer", "lo ", lo, " is above hi ", hi);
    }
    const std::uint64_t span = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo) + 1;
    if (span == 0) {
        return static_cast<std::int64_t>(bits());
    }
    // Draws from the incomplete last cycle are thrown away, or small results would come up more often.
    const std::uint64_t limit = ~std::uint64_t{0} - (~std::uint64_t{0} % span + 1) % span;
    std::uint64_t value = bits();
    while (value > limit) {
        value = bits();
    }
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + value % span);
}

void Random::fill_uniform(std::span<float> values, float lo, float hi) {
    if (!(lo <= hi)) {
        fail("Random::fill_uniform", "lo ", lo, " is above hi ", hi);
    }
    const float width = hi - lo;
    for (float& value : values) {
        value = lo + width * unit(static_cast<std::uint32_t>(bits() >> 32U));
        // Rounding can reach the open end.
        value = value >= hi && lo < hi ? std::nextafter(hi, lo) : value;
    }
}

void Random::fill_normal(std::span<float> values, float mean, float stddev) {
    std::array<std::uint32_t, kBlock> high;
    std::array<std::uint32_t, kBlock> low;
    std::array<float, kBlock> first;
    std::array<float, kBlock> second;
    for (std::size_t begin = 0; begin < values.size(); begin += 2 * kBlock) {
        const std::span<float> out = values.subspan(begin, std::min(2 * kBlock, values.size() - begin));
        const std::size_t pairs = (out.size() + 1) / 2;
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::uint64_t word = draw(key_, counter_ + i);
            high[i] = static_cast<std::uint32_t>(word >> 32U);
            low[i] = static_cast<std::uint32_t>(word);
        }
        counter_ += pairs;
        for (std::size_t i = 0; i < pairs; ++i) {
            const Pair pair = standard_normal(high[i], low[i]);
            first[i] = mean + stddev * pair.first;
            second[i] = mean + stddev * pair.second;
        }
        for (std::size_t i = 0; i < out.size() / 2; ++i) {
            out[2 * i] = first[i];
            out[2 * i + 1] = second[i];
        }
        if (out.size() % 2 != 0) {
            out.back() = first[pairs - 1];
        }
    }
}

HostTensor Random::uniform(Shape shape, float lo, float hi) {
    HostTensor tensor = zeros(std::move(shape));
    fill_uniform(tensor.data, lo, hi);
    return tensor;
}

HostTensor Random::normal(Shape shape, float mean, float stddev) {
    HostTensor tensor = zeros(std::move(shape));
    fill_normal(tensor.data, mean, stddev);
    return tensor;
}

}  // namespace zoo
