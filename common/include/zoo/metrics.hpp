// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>

namespace zoo {

// How far `actual` is from `expected`. Sums run in double, in index order: the same bits everywhere.
//
// A NaN or infinity that both sides hold at the same place is left out of the sums. One that only one side holds is a
// mismatch: then pcc is 0, both errors are infinite, and worst_index is the first such place.
struct Comparison {
    double pcc = 0.0;             // never NaN; where a side is constant: 1 if all elements are equal, else 0
    double relative_error = 0.0;  // |actual - expected| / |expected|, Frobenius norms; infinite if only |expected| is 0
    double max_abs_error = 0.0;
    std::size_t worst_index = 0;  // where max_abs_error is
    float worst_expected = 0.0F;
    float worst_actual = 0.0F;
    std::size_t nonfinite_expected = 0;
    std::size_t nonfinite_actual = 0;
    std::size_t count = 0;
};

// Error when the sizes differ or there is nothing to compare.
[[nodiscard]] Comparison compare(std::span<const float> expected, std::span<const float> actual);

// One line for test messages and reports.
[[nodiscard]] std::string describe(const Comparison& comparison);

// Distances in steps of the bfloat16 grid: neighbours are 1 apart, also across zero; -0 and +0 are the same. Values off
// the grid are first rounded to nearest even. Two NaNs, or two equal infinities, are exact; any other pair with a NaN
// or an infinity is kFar apart.
struct UlpHistogram {
    static constexpr std::uint32_t kFar = std::numeric_limits<std::uint32_t>::max();
    static constexpr std::size_t kBuckets = 18;

    std::size_t count = 0;
    std::size_t exact = 0;
    std::size_t within_1 = 0;  // including exact
    std::size_t far = 0;       // pairs that are kFar apart
    std::uint32_t worst = 0;
    std::size_t worst_index = 0;
    // Bucket 0: exact; bucket b: distances in [2^(b-1), 2^b); the last one: kFar.
    std::array<std::size_t, kBuckets> buckets{};

    [[nodiscard]] double exact_share() const { return static_cast<double>(exact) / static_cast<double>(count); }
    [[nodiscard]] double within_1_share() const { return static_cast<double>(within_1) / static_cast<double>(count); }
};

// Error when the sizes differ or there is nothing to compare.
[[nodiscard]] UlpHistogram ulp_histogram(std::span<const float> expected, std::span<const float> actual);

[[nodiscard]] std::string describe(const UlpHistogram& histogram);

}  // namespace zoo
