// SPDX-License-Identifier: Apache-2.0
#include "zoo/metrics.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "scratch.hpp"
#include "zoo/random.hpp"

namespace zoo {
namespace {

using testing::expect_error;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kMax = std::numeric_limits<float>::max();

Comparison compared(const std::vector<float>& expected, const std::vector<float>& actual) {
    return compare(expected, actual);
}

TEST(Metrics, EqualInputs) {
    const Comparison result = compared({1, -2, 3}, {1, -2, 3});
    EXPECT_EQ(result.pcc, 1.0);
    EXPECT_EQ(result.relative_error, 0.0);
    EXPECT_EQ(result.max_abs_error, 0.0);
    EXPECT_EQ(result.count, 3U);
}

TEST(Metrics, HandComputedValues) {
    // Around the means: (-1, 0, 1) and (-1, 1, 0); covariance 1, variances 2 and 2.
    const Comparison result = compared({1, 2, 3}, {1, 3, 2});
    EXPECT_DOUBLE_EQ(result.pcc, 0.5);
    EXPECT_DOUBLE_EQ(result.relative_error, std::sqrt(2.0 / 14.0));
    EXPECT_EQ(result.max_abs_error, 1.0);
    EXPECT_EQ(result.worst_index, 1U);
    EXPECT_EQ(result.worst_expected, 2.0F);
    EXPECT_EQ(result.worst_actual, 3.0F);
    EXPECT_DOUBLE_EQ(compared({1, 2, 3}, {3, 2, 1}).pcc, -1.0);
}

TEST(Metrics, PccIsBlindToScaleAndTheRelativeErrorIsNot) {
    const Comparison result = compared({1, 2, 3}, {3, 5, 7});
    EXPECT_DOUBLE_EQ(result.pcc, 1.0);
    EXPECT_GT(result.relative_error, 1.0);
}

TEST(Metrics, ConstantInputHasADefinedPcc) {
    EXPECT_EQ(compared({2, 2, 2}, {2, 2, 2}).pcc, 1.0);
    EXPECT_EQ(compared({2, 2, 2}, {3, 3, 3}).pcc, 0.0);
    EXPECT_EQ(compared({2, 2, 2}, {2, 2, 3}).pcc, 0.0);
    EXPECT_EQ(compared({1, 2, 3}, {2, 2, 2}).pcc, 0.0);
    EXPECT_EQ(compared({5}, {5}).pcc, 1.0);
    EXPECT_EQ(compared({0.0F}, {-0.0F}).pcc, 1.0);
    EXPECT_EQ(compared({0, 0}, {0, 0}).relative_error, 0.0);
    EXPECT_EQ(compared({0, 0}, {0, 1}).relative_error, std::numeric_limits<double>::infinity());
}

TEST(Metrics, ExtremesStayFinite) {
    EXPECT_DOUBLE_EQ(compared({kMax, -kMax, 0}, {kMax, -kMax, 0}).pcc, 1.0);
    EXPECT_DOUBLE_EQ(compared({1e-45F, 0, 0}, {1e-45F, 0, 0}).pcc, 1.0);
    EXPECT_LE(compared({1, std::nextafter(1.0F, 2.0F)}, {1, std::nextafter(1.0F, 2.0F)}).pcc, 1.0);
}

TEST(Metrics, SharedNonFiniteValuesAreLeftOut) {
    const Comparison result = compared({1, kNan, 2, kInfinity, 3}, {1, kNan, 3, kInfinity, 2});
    EXPECT_DOUBLE_EQ(result.pcc, 0.5);
    EXPECT_EQ(result.nonfinite_expected, 2U);
    EXPECT_EQ(result.nonfinite_actual, 2U);
    EXPECT_EQ(result.worst_index, 2U);
    EXPECT_EQ(compared({kNan}, {kNan}).pcc, 1.0);
}

TEST(Metrics, NonFiniteOnOneSideFailsEveryBound) {
    for (const auto& [expected, actual] :
         {std::pair(2.0F, kNan), std::pair(kNan, 2.0F), std::pair(2.0F, kInfinity), std::pair(kInfinity, -kInfinity),
          std::pair(kInfinity, kNan)}) {
        const Comparison result = compared({1, 9, expected, 4}, {1, 2, actual, 4});
        EXPECT_EQ(result.pcc, 0.0);
        EXPECT_EQ(result.relative_error, std::numeric_limits<double>::infinity());
        EXPECT_EQ(result.max_abs_error, std::numeric_limits<double>::infinity());
        EXPECT_EQ(result.worst_index, 2U);
    }
}

TEST(Metrics, RefusesWhatCannotBeCompared) {
    expect_error([] { (void)compared({1, 2}, {1}); }, {"[compare]", "expected has 2 elements, actual has 1"});
    expect_error([] { (void)compared({}, {}); }, {"[compare]", "empty"});
    expect_error(
        [] { (void)ulp_histogram(std::vector<float>(2), std::vector<float>(3)); }, {"[ulp_histogram]", "2", "3"});
}

TEST(Metrics, DescribesOnOneLine) {
    const std::string text = describe(compared({1, 2, 3}, {1, 3, 2}));
    EXPECT_THAT(text, ::testing::HasSubstr("pcc 0.5, relative error 0.37796447"));
    EXPECT_THAT(text, ::testing::HasSubstr("worst 1 at 1 (expected 2, actual 3), 3 elements"));
}

UlpHistogram steps(const std::vector<float>& expected, const std::vector<float>& actual) {
    return ulp_histogram(expected, actual);
}

// bfloat16 keeps 8 significant bits: the step above 1 is 2^-7, below it 2^-8; the smallest value is 2^-133.
TEST(MetricsUlp, CountsBfloat16Steps) {
    const UlpHistogram result = steps({1, 1, 1, 1, -1}, {1, 1 + 0x1p-7F, 1 - 0x1p-8F, 1 + 5 * 0x1p-7F, -1 - 0x1p-6F});
    EXPECT_EQ(result.count, 5U);
    EXPECT_EQ(result.exact, 1U);
    EXPECT_EQ(result.within_1, 3U);
    EXPECT_EQ(result.worst, 5U);
    EXPECT_EQ(result.worst_index, 3U);
    EXPECT_EQ(result.buckets[0], 1U);
    EXPECT_EQ(result.buckets[1], 2U);
    EXPECT_EQ(result.buckets[2], 1U);
    EXPECT_EQ(result.buckets[3], 1U);
    EXPECT_DOUBLE_EQ(result.exact_share(), 0.2);
    EXPECT_DOUBLE_EQ(result.within_1_share(), 0.6);
}

TEST(MetricsUlp, CrossesZeroAndTakesSignsSeriously) {
    EXPECT_EQ(steps({0.0F}, {-0.0F}).worst, 0U);
    EXPECT_EQ(steps({0x1p-133F}, {0.0F}).worst, 1U);
    EXPECT_EQ(steps({0x1p-133F}, {-0x1p-133F}).worst, 2U);
    EXPECT_EQ(steps({1.0F}, {-1.0F}).worst, 2U * 0x3F80U);
}

TEST(MetricsUlp, RoundsWhatIsOffTheGrid) {
    EXPECT_EQ(steps({1.0F}, {1 + 0x1p-9F}).worst, 0U);
    EXPECT_EQ(steps({1.0F}, {1 + 0x1p-8F}).worst, 0U) << "a tie goes to even";
    EXPECT_EQ(steps({1.0F}, {1 + 3 * 0x1p-8F}).worst, 2U) << "a tie goes to even";
}

TEST(MetricsUlp, NonFiniteValues) {
    const UlpHistogram same = steps({kNan, kInfinity, -kInfinity}, {-kNan, kInfinity, -kInfinity});
    EXPECT_EQ(same.exact, 3U);
    for (const auto& [expected, actual] :
         {std::pair(kNan, 1.0F), std::pair(1.0F, kNan), std::pair(kInfinity, 0x1.fep127F),
          std::pair(kInfinity, -kInfinity), std::pair(kNan, kInfinity)}) {
        const UlpHistogram result = steps({0, expected}, {0, actual});
        EXPECT_EQ(result.far, 1U);
        EXPECT_EQ(result.worst, UlpHistogram::kFar);
        EXPECT_EQ(result.worst_index, 1U);
        EXPECT_EQ(result.buckets.back(), 1U);
        EXPECT_THAT(describe(result), ::testing::HasSubstr("1 with a NaN or infinity on one side"));
    }
    EXPECT_EQ(steps({0x1.fep127F}, {-0x1.fep127F}).buckets[16], 1U) << "the largest finite distance has its bucket";
}

TEST(Metrics, AgreesWithAPlainFormulaOnRandomData) {
    Random random(3);
    const HostTensor expected = random.normal({4096}, 0.5F, 2.0F);
    HostTensor actual = random.normal({4096}, 0.0F, 0.1F);
    for (std::size_t i = 0; i < actual.size(); ++i) {
        actual.data[i] += expected.data[i];
    }
    long double se = 0, sa = 0, see = 0, saa = 0, sea = 0;
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const long double e = expected.data[i];
        const long double a = actual.data[i];
        se += e, sa += a, see += e * e, saa += a * a, sea += e * a;
    }
    const long double n = 4096;
    const long double pcc = (n * sea - se * sa) / std::sqrt((n * see - se * se) * (n * saa - sa * sa));
    const Comparison result = compare(expected.data, actual.data);
    EXPECT_NEAR(result.pcc, static_cast<double>(pcc), 1e-12);
    // Noise of 0.1 on values of mean 0.5 and deviation 2.
    EXPECT_NEAR(result.relative_error, 0.1 / std::sqrt(4.25), 2e-3);
}

}  // namespace
}  // namespace zoo
