// SPDX-License-Identifier: Apache-2.0
#pragma once

// Seeded inputs for tests. Values come from mt19937_64 through our own transforms: std distributions differ by library.

#include <cstdint>
#include <vector>

#include "zoo/host_tensor.hpp"

namespace zoo::test {

// What the references take and return. A type of the library, so that weights and results need no conversion.
using Array = zoo::HostTensor;
using Dims = zoo::Shape;

[[nodiscard]] std::int64_t volume(const Dims& shape);

[[nodiscard]] Array uniform(const Dims& shape, std::uint64_t seed, float low = -1.0F, float high = 1.0F);
[[nodiscard]] Array normal(const Dims& shape, std::uint64_t seed, float mean = 0.0F, float deviation = 1.0F);
// Whole numbers in [0, bound), as floats or as ids.
[[nodiscard]] Array integers(const Dims& shape, std::uint64_t seed, std::uint32_t bound);
[[nodiscard]] std::vector<std::uint32_t> ids(std::size_t count, std::uint64_t seed, std::uint32_t bound);
// Each value rounded to nearest-even bfloat16: what a BFLOAT16 tensor made from the array holds.
[[nodiscard]] Array to_bfloat16(Array a);

}  // namespace zoo::test
