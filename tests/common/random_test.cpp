// SPDX-License-Identifier: Apache-2.0
#include "zoo/random.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "scratch.hpp"

namespace zoo {
namespace {

using testing::expect_error;

TEST(Random, BitsAreSplitMix64) {
    // The published first outputs for seed 1234567.
    Random random(1234567);
    EXPECT_EQ(random.bits(), 6457827717110365317ULL);
    EXPECT_EQ(random.bits(), 3203168211198807973ULL);
    EXPECT_EQ(random.bits(), 9817491932198370423ULL);
}

TEST(Random, NormalBitsNeverChange) {
    // Stored on first writing: tests and reports name seeds, so these may not move with compiler, CPU or build type.
    Random random(1);
    std::uint64_t hash = 0;
    for (const float value : random.normal({10'001}, 0.0F, 1.0F).data) {
        hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001B3ULL;
    }
    EXPECT_EQ(hash, 7921196096119943928ULL);
}

TEST(Random, NormalMoments) {
    const std::size_t count = 1'000'000;
    const HostTensor sample = Random(5).normal({static_cast<std::int64_t>(count)}, 3.0F, 2.0F);
    std::array<double, 5> moments{};
    double lag = 0;
    std::size_t beyond_2 = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double z = (sample.data[i] - 3.0) / 2.0;
        double power = 1;
        for (double& moment : moments) {
            moment += power / count;
            power *= z;
        }
        beyond_2 += std::abs(z) > 2 ? 1 : 0;
        lag += i > 0 ? z * (sample.data[i - 1] - 3.0) / 2.0 / count : 0.0;
    }
    // Five standard errors of each estimate.
    EXPECT_NEAR(moments[1], 0.0, 5e-3);
    EXPECT_NEAR(moments[2], 1.0, 5 * std::sqrt(2.0 / count));
    EXPECT_NEAR(moments[3], 0.0, 5 * std::sqrt(15.0 / count));
    EXPECT_NEAR(moments[4], 3.0, 5 * std::sqrt(96.0 / count));
    EXPECT_NEAR(lag, 0.0, 5e-3);
    EXPECT_NEAR(beyond_2 / static_cast<double>(count), 0.0455003, 5 * std::sqrt(0.0455 * 0.9545 / count));
}

// Box-Muller with the C library's functions: the hand-written ones may differ by rounding only.
TEST(Random, NormalFollowsTheFormula) {
    Random bits(11);
    const HostTensor sample = Random(11).normal({20'000}, 0.0F, 1.0F);
    const double pi = std::acos(-1.0);
    for (std::size_t i = 0; i < sample.size(); i += 2) {
        const std::uint64_t word = bits.bits();
        const double u = (static_cast<double>(word >> 32U) + 0.5) * 0x1p-32;
        const double radius = std::sqrt(-2 * std::log(u));
        const auto low = static_cast<std::uint32_t>(word);
        const double angle = static_cast<double>(static_cast<std::int32_t>(low << 2U)) * 0x1p-32 * pi / 2;
        const double turned = angle - (low >> 30U & 1U) * pi / 2 + (low >> 31U) * pi;
        // Half a float step of u near 1 moves the radius by 2^-25 / radius.
        const double bound = 2e-6 + 0x1p-25 / radius;
        ASSERT_NEAR(sample.data[i], radius * std::cos(turned), bound) << i;
        ASSERT_NEAR(sample.data[i + 1], radius * std::sin(turned), bound) << i;
    }
}

TEST(Random, UniformFillsItsRangeAndStaysInside) {
    const HostTensor sample = Random(2).uniform({200'000}, -1.0F, 3.0F);
    const auto [least, most] = std::minmax_element(sample.data.begin(), sample.data.end());
    EXPECT_GE(*least, -1.0F);
    EXPECT_LT(*least, -0.999F);
    EXPECT_LT(*most, 3.0F);
    EXPECT_GT(*most, 2.999F);
    double mean = 0;
    for (const float value : sample.data) {
        mean += value / 200'000.0;
    }
    EXPECT_NEAR(mean, 1.0, 5 * (4 / std::sqrt(12.0)) / std::sqrt(200'000.0));
    // Rounding must not reach the open end, even where the range has only one float inside.
    Random random(4);
    const float next = std::nextafter(1.0F, 2.0F);
    for (int i = 0; i < 1000; ++i) {
        ASSERT_EQ(random.uniform(1.0F, next), 1.0F);
    }
    EXPECT_EQ(random.uniform(2.0F, 2.0F), 2.0F);
    expect_error([&] { (void)random.uniform(2.0F, 1.0F); }, {"lo 2 is above hi 1"});
}

TEST(Random, IntegersCoverTheirRange) {
    Random random(6);
    std::array<int, 7> counts{};
    for (int i = 0; i < 70'000; ++i) {
        ++counts.at(static_cast<std::size_t>(random.integer(-3, 3) + 3));
    }
    for (const int count : counts) {
        EXPECT_NEAR(count, 10'000, 500);
    }
    EXPECT_EQ(random.integer(9, 9), 9);
    EXPECT_NO_THROW((void)random.integer(INT64_MIN, INT64_MAX));
    expect_error([&] { (void)random.integer(1, 0); }, {"[Random::integer]", "lo 1 is above hi 0"});
}

TEST(Random, StreamsDependOnTheNameOnly) {
    Random random(8);
    const std::uint64_t before = random.stream("a").bits();
    (void)random.bits();
    EXPECT_EQ(random.stream("a").bits(), before);
    EXPECT_NE(random.stream("b").bits(), before);
    EXPECT_NE(random.stream("").bits(), Random(8).bits());
    EXPECT_NE(Random(9).stream("a").bits(), before);
}

TEST(Random, PiecesOfEvenLengthEqualTheWhole) {
    const HostTensor whole = Random(10).normal({5000}, 0.0F, 1.0F);
    std::vector<float> pieces(5000);
    Random random(10);
    random.fill_normal(std::span(pieces).first(1026), 0.0F, 1.0F);
    random.fill_normal(std::span(pieces).subspan(1026), 0.0F, 1.0F);
    EXPECT_EQ(pieces, whole.data);
}

}  // namespace
}  // namespace zoo
