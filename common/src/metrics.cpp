// SPDX-License-Identifier: Apache-2.0
#include "zoo/metrics.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "zoo/error.hpp"

namespace zoo {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

void check_sizes(std::string_view where, std::size_t expected, std::size_t actual) {
    if (expected != actual) {
        fail(where, "expected has ", expected, " elements, actual has ", actual, "; they must be equal");
    }
    if (expected == 0) {
        fail(where, "both sides are empty; a comparison needs at least 1 element");
    }
}

bool same_nonfinite(float a, float b) { return (std::isnan(a) && std::isnan(b)) || a == b; }

struct Moments {
    double expected_mean = 0.0;
    double actual_mean = 0.0;
    std::size_t finite = 0;
};

// Pearson's correlation over the pairs that are finite on both sides; second pass, around the means of the first.
double correlation(std::span<const float> expected, std::span<const float> actual, const Moments& moments) {
    double covariance = 0.0;
    double expected_variance = 0.0;
    double actual_variance = 0.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!std::isfinite(expected[i]) || !std::isfinite(actual[i])) {
            continue;
        }
        const double e = static_cast<double>(expected[i]) - moments.expected_mean;
        const double a = static_cast<double>(actual[i]) - moments.actual_mean;
        covariance += e * a;
        expected_variance += e * e;
        actual_variance += a * a;
    }
    // Roots one by one: the product of two tiny variances would vanish.
    return std::clamp(covariance / std::sqrt(expected_variance) / std::sqrt(actual_variance), -1.0, 1.0);
}

// Position on the bfloat16 grid, growing with the value; both zeros are 0. Not for NaN.
std::int32_t bfloat16_position(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
    const auto magnitude = static_cast<std::int32_t>(rounded & 0x7FFFU);
    return (rounded & 0x8000U) != 0 ? -magnitude : magnitude;
}

constexpr std::int32_t kInfinityPosition = 0x7F80;

std::uint32_t bfloat16_distance(float expected, float actual) {
    if (std::isnan(expected) || std::isnan(actual)) {
        return std::isnan(expected) && std::isnan(actual) ? 0 : UlpHistogram::kFar;
    }
    const std::int32_t e = bfloat16_position(expected);
    const std::int32_t a = bfloat16_position(actual);
    if (e != a && (std::abs(e) == kInfinityPosition || std::abs(a) == kInfinityPosition)) {
        return UlpHistogram::kFar;
    }
    return static_cast<std::uint32_t>(std::abs(e - a));
}

}  // namespace

Comparison compare(std::span<const float> expected, std::span<const float> actual) {
    check_sizes("compare", expected.size(), actual.size());
    Comparison result{.count = expected.size()};
    Moments moments;
    double expected_square = 0.0;
    double error_square = 0.0;
    bool mismatch = false;
    bool expected_constant = true;
    bool actual_constant = true;
    float first_expected = 0.0F;
    float first_actual = 0.0F;
    double worst = -1.0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const bool expected_finite = std::isfinite(expected[i]);
        const bool actual_finite = std::isfinite(actual[i]);
        result.nonfinite_expected += expected_finite ? 0 : 1;
        result.nonfinite_actual += actual_finite ? 0 : 1;
        if (!expected_finite || !actual_finite) {
            if (!mismatch && !same_nonfinite(expected[i], actual[i])) {
                mismatch = true;
                result.worst_index = i;
            }
            continue;
        }
        if (moments.finite == 0) {
            first_expected = expected[i];
            first_actual = actual[i];
        }
        expected_constant = expected_constant && expected[i] == first_expected;
        actual_constant = actual_constant && actual[i] == first_actual;
        const double e = expected[i];
        const double a = actual[i];
        ++moments.finite;
        moments.expected_mean += e;
        moments.actual_mean += a;
        expected_square += e * e;
        error_square += (a - e) * (a - e);
        if (std::abs(a - e) > worst) {
            worst = std::abs(a - e);
            if (!mismatch) {
                result.worst_index = i;
            }
        }
    }
    result.worst_expected = expected[result.worst_index];
    result.worst_actual = actual[result.worst_index];
    if (mismatch) {
        result.relative_error = kInfinity;
        result.max_abs_error = kInfinity;
        return result;
    }
    result.max_abs_error = std::max(worst, 0.0);
    if (error_square > 0.0) {
        result.relative_error = expected_square > 0.0 ? std::sqrt(error_square / expected_square) : kInfinity;
    }
    if (expected_constant || actual_constant) {
        result.pcc = result.max_abs_error == 0.0 ? 1.0 : 0.0;
        return result;
    }
    moments.expected_mean /= static_cast<double>(moments.finite);
    moments.actual_mean /= static_cast<double>(moments.finite);
    result.pcc = correlation(expected, actual, moments);
    return result;
}

std::string describe(const Comparison& comparison) {
    std::ostringstream text;
    text.precision(8);
    text << "pcc " << comparison.pcc << ", relative error " << comparison.relative_error << ", worst "
         << comparison.max_abs_error << " at " << comparison.worst_index << " (expected " << comparison.worst_expected
         << ", actual " << comparison.worst_actual << "), " << comparison.count << " elements, non-finite "
         << comparison.nonfinite_expected << " expected and " << comparison.nonfinite_actual << " actual";
    return text.str();
}

UlpHistogram ulp_histogram(std::span<const float> expected, std::span<const float> actual) {
    check_sizes("ulp_histogram", expected.size(), actual.size());
    UlpHistogram result{.count = expected.size()};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::uint32_t distance = bfloat16_distance(expected[i], actual[i]);
        result.exact += distance == 0 ? 1 : 0;
        result.within_1 += distance <= 1 ? 1 : 0;
        result.far += distance == UlpHistogram::kFar ? 1 : 0;
        const std::size_t bucket =
            distance == UlpHistogram::kFar ? UlpHistogram::kBuckets - 1 : std::bit_width(distance);
        ++result.buckets[bucket];
        if (distance > result.worst) {
            result.worst = distance;
            result.worst_index = i;
        }
    }
    return result;
}

std::string describe(const UlpHistogram& histogram) {
    std::ostringstream text;
    text.precision(4);
    text << "bfloat16 steps: exact " << 100.0 * histogram.exact_share() << " %, within 1 "
         << 100.0 * histogram.within_1_share() << " %, worst ";
    if (histogram.worst == UlpHistogram::kFar) {
        text << "not comparable";
    } else {
        text << histogram.worst;
    }
    text << " at " << histogram.worst_index << ", " << histogram.count << " elements";
    if (histogram.far > 0) {
        text << ", " << histogram.far << " with a NaN or infinity on one side";
    }
    return text.str();
}

}  // namespace zoo
