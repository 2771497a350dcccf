// SPDX-License-Identifier: Apache-2.0
#include "conformance/l1_table.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace zoo::conformance {

double l1_deviation(const ReplayedCall& call) {
    if (!call.there || call.here.total() == call.there->total()) {
        return 0;
    }
    const auto there = static_cast<double>(std::max<std::uint64_t>(call.there->total(), 1));
    return 100 * (static_cast<double>(call.here.total()) - there) / there;
}

std::vector<std::string> l1_complaints(const Replay& replay) {
    std::set<std::string> result;  // layers repeat
    for (const ReplayedCall& call : replay.calls) {
        if (const double deviation = l1_deviation(call); std::abs(deviation) > kL1Bound) {
            result.insert(fmt::format(
                "{} ({}): peak L1 is off by {:.1f} %: circular buffers {} on the embedded device, {} on the real "
                "library; "
                "buffers {} and {}",
                call.function, call.inputs, deviation, call.here.circular_buffers, call.there->circular_buffers,
                call.here.buffers, call.there->buffers));
        }
    }
    return {result.begin(), result.end()};
}

std::vector<L1Family> l1_families(std::span<const Replay> replays) {
    std::map<std::string, L1Family> families;
    for (const Replay& replay : replays) {
        for (const ReplayedCall& call : replay.calls) {
            if (!call.there || call.here.total() + call.there->total() == 0) {
                continue;
            }
            L1Family& family = families[call.function];
            const double deviation = l1_deviation(call);
            family.within += std::abs(deviation) <= kL1Bound ? 1 : 0;
            if (family.calls++ == 0 || std::abs(deviation) > std::abs(family.worst)) {
                family.worst = deviation;
                family.example = call;
            }
        }
    }
    std::vector<L1Family> result;
    for (auto& [function, family] : families) {
        family.function = function;
        result.push_back(std::move(family));
    }
    return result;
}

}  // namespace zoo::conformance
