// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "profile/operations.hpp"
#include "profile/run.hpp"

namespace zoo::apps::profile {

// The graph of one operation as TTNN's graph capture writes it, a JSON list of nodes: the call, its device ops, their circular
// buffers, and the buffers that came and went.
[[nodiscard]] std::string captured_graph(const Run& run, const Operation& operation);

}  // namespace zoo::apps::profile
