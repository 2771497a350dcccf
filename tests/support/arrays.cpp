// SPDX-License-Identifier: Apache-2.0
#include "support/arrays.hpp"

#include <bit>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace zoo::test {
namespace {

// 53 bits to [0, 1); std::uniform_real_distribution is not the same on every standard library.
double unit(std::mt19937_64& engine) { return static_cast<double>(engine() >> 11) * 0x1.0p-53; }

}  // namespace

std::int64_t volume(const Dims& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

Array uniform(const Dims& shape, std::uint64_t seed, float low, float high) {
    std::mt19937_64 engine(seed);
    Array out{shape, std::vector<float>(static_cast<std::size_t>(volume(shape)))};
    for (float& value : out.data) {
        value = static_cast<float>(low + (high - low) * unit(engine));
    }
    return out;
}

Array normal(const Dims& shape, std::uint64_t seed, float mean, float deviation) {
    constexpr double kTau = 6.283185307179586;
    std::mt19937_64 engine(seed);
    Array out{shape, std::vector<float>(static_cast<std::size_t>(volume(shape)))};
    for (float& value : out.data) {
        const double radius = std::sqrt(-2.0 * std::log(1.0 - unit(engine)));
        value = static_cast<float>(mean + deviation * radius * std::cos(kTau * unit(engine)));
    }
    return out;
}

std::vector<std::uint32_t> ids(std::size_t count, std::uint64_t seed, std::uint32_t bound) {
    std::mt19937_64 engine(seed);
    std::vector<std::uint32_t> out(count);
    for (std::uint32_t& id : out) {
        id = static_cast<std::uint32_t>(engine() % bound);
    }
    return out;
}

Array integers(const Dims& shape, std::uint64_t seed, std::uint32_t bound) {
    const auto values = ids(static_cast<std::size_t>(volume(shape)), seed, bound);
    return {shape, std::vector<float>(values.begin(), values.end())};
}

Array to_bfloat16(Array a) {
    for (float& value : a.data) {
        std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
        if (std::isnan(value)) {
            bits |= 0x00400000U;
        } else {
            bits += 0x7FFFU + ((bits >> 16) & 1U);
        }
        value = std::bit_cast<float>(bits & 0xFFFF0000U);
    }
    return a;
}

}  // namespace zoo::test
