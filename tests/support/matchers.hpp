// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>

#include "zoo/host_tensor.hpp"
#include "zoo/metrics.hpp"

namespace zoo::test {

// Both must hold: PCC alone is blind to scale and offset, an error norm alone to a wrong but small result.
struct Bound {
    double pcc = 1.0;             // at least
    double relative_error = 0.0;  // at most; |actual - expected| / |expected|
};

// Where a flat index lies in a row-major shape: "[1, 0, 17]".
inline std::string coordinates(std::size_t index, const Shape& shape) {
    Shape place(shape.size());
    for (std::size_t dim = shape.size(); dim-- > 0;) {
        place[dim] = static_cast<std::int64_t>(index) % shape[dim];
        index /= static_cast<std::size_t>(shape[dim]);
    }
    return to_string(std::span<const std::int64_t>(place));
}

inline ::testing::AssertionResult within(
    std::span<const float> expected, std::span<const float> actual, const Bound& bound, const Shape& shape = {}) {
    if (expected.size() != actual.size()) {
        return ::testing::AssertionFailure()
               << "expected " << expected.size() << " values, there are " << actual.size();
    }
    const Comparison found = compare(expected, actual);
    const bool good = found.pcc >= bound.pcc && found.relative_error <= bound.relative_error;
    auto result = good ? ::testing::AssertionSuccess() : ::testing::AssertionFailure();
    result << describe(found) << "; the bound is pcc >= " << bound.pcc
           << ", relative error <= " << bound.relative_error;
    if (!shape.empty()) {
        result << "; worst element at " << coordinates(found.worst_index, shape);
    }
    return result;
}

inline ::testing::AssertionResult within(const HostTensor& expected, const HostTensor& actual, const Bound& bound) {
    if (expected.shape != actual.shape) {
        return ::testing::AssertionFailure()
               << "expected shape " << to_string(expected.shape) << ", it is " << to_string(actual.shape);
    }
    return within(expected.data, actual.data, bound, expected.shape);
}

}  // namespace zoo::test

// EXPECT_WITHIN(expected, actual, Bound{...}): HostTensors, or vectors and spans of float.
#define EXPECT_WITHIN(...) EXPECT_TRUE(::zoo::test::within(__VA_ARGS__))
#define ASSERT_WITHIN(...) ASSERT_TRUE(::zoo::test::within(__VA_ARGS__))
// For the test that shows that a bound can see a mistake: a wrong expectation must be outside it.
#define EXPECT_OUTSIDE(...) EXPECT_FALSE(::zoo::test::within(__VA_ARGS__))
