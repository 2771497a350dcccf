// SPDX-License-Identifier: Apache-2.0
#pragma once

// The run as a Chrome trace, for Perfetto: calls of the host, ops, transfers and replays on a track for each queue, flows from one to the
// other, and what L1 and DRAM hold over time.
#include <string>

#include "profile/run.hpp"

namespace zoo::apps::profile {

// By the clock of this CPU, since the host's times have no other; by the card's where nothing was computed, without the host.
[[nodiscard]] std::string timeline(const Run& run);

}  // namespace zoo::apps::profile
