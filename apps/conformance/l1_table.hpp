// SPDX-License-Identifier: Apache-2.0
#pragma once

// Peak L1 of replayed calls: what the embedded device accounts for against what the real library does.
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "conformance/replay.hpp"

namespace zoo::conformance {

// The bound, in per cent.
inline constexpr double kL1Bound = 5.0;

// Buffers and circular buffers here, in per cent above what they are there. None where neither has any.
[[nodiscard]] double l1_deviation(const ReplayedCall& call);

// One sentence a call out of bounds; calls that were not made there do not count.
[[nodiscard]] std::vector<std::string> l1_complaints(const Replay& replay);

// Of all calls of one function.
struct L1Family {
    std::string function;
    std::size_t calls = 0;
    std::size_t within = 0;  // the bound
    double worst = 0;
    ReplayedCall example;  // the worst
};

// In order of names. Calls that were not made there, or that use no L1, do not count.
[[nodiscard]] std::vector<L1Family> l1_families(std::span<const Replay> replays);

}  // namespace zoo::conformance
