// SPDX-License-Identifier: Apache-2.0
// What the headers of tt-metal take and its libraries do not have must not compile here.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>

#include <tt_stl/small_vector.hpp>
#include <ttnn/operations/data_movement/slice/slice.hpp>
#include <ttnn/types.hpp>

namespace {

template <typename Bounds>
concept Slices = requires(const ttnn::Tensor& tensor, const Bounds& bounds) {
    ttnn::slice(tensor, bounds, bounds, bounds);
};

TEST(Signatures, SliceTakesArraysOfFourUnsignedBoundsAlone) {
    EXPECT_TRUE((Slices<std::array<std::uint32_t, 4>>));
    EXPECT_FALSE((Slices<std::array<std::uint32_t, 3>>));
    EXPECT_FALSE((Slices<std::array<std::int32_t, 4>>));
    EXPECT_TRUE((Slices<ttsl::SmallVector<std::int32_t>>));
}

}  // namespace
