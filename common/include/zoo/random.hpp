// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "zoo/host_tensor.hpp"

namespace zoo {

// Numbers that depend on the seed and on the draws made so far, and on nothing else: no C library function is involved,
// so every platform gets the same bits. Counter-based (SplitMix64); normal values by Box-Muller. Not for secrets.
class Random {
public:
    explicit Random(std::uint64_t seed) : key_(seed) {}

    // An independent generator for a name, untouched by the draws made here: weights drawn by name do not depend on the
    // order of the draws.
    [[nodiscard]] Random stream(std::string_view name) const;

    [[nodiscard]] std::uint64_t bits();
    // In [lo, hi).
    [[nodiscard]] float uniform(float lo = 0.0F, float hi = 1.0F);
    [[nodiscard]] float normal(float mean = 0.0F, float stddev = 1.0F);
    // In [lo, hi], both included.
    [[nodiscard]] std::int64_t integer(std::int64_t lo, std::int64_t hi);

    void fill_uniform(std::span<float> values, float lo, float hi);
    void fill_normal(std::span<float> values, float mean, float stddev);

    [[nodiscard]] HostTensor uniform(Shape shape, float lo, float hi);
    [[nodiscard]] HostTensor normal(Shape shape, float mean, float stddev);

private:
    std::uint64_t key_;
    std::uint64_t counter_ = 0;
};

}  // namespace zoo
