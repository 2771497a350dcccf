// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a run spends its time on, for people.
#include <cstddef>
#include <ostream>
#include <string>
#include <vector>

#include "profile/card_model.hpp"
#include "profile/run.hpp"

namespace zoo::apps::profile {

// (PM ideal / kernel duration) x (cores of the device / cores of the op), in percent: the share of what the cores it uses could do.
[[nodiscard]] double utilization(const Ideal& ideal, const Span& span, const ttnn_cpu::OpRecord& op, const Card& card);

// Advice on one matter, with the ops that it is about.
struct Advice {
    std::string text;
    double share = 0;  // of the card's time that these ops take
};

// What the bring-up guide would look at: ops on few cores, changes of sharding between ops, formats, fidelity. The weightiest first.
[[nodiscard]] std::vector<Advice> advice(const Run& run);

// The costliest ops, shares by kind, peak L1, and the advice.
void print_summary(const Run& run, std::ostream& out, std::size_t rows = 10);

}  // namespace zoo::apps::profile
