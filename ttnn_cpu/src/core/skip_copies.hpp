// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "core/device_impl.hpp"

namespace ttnn_cpu {

// Ops that only move a tensor from shards to other shards copy bytes on the host, where the matrix lies in one piece. In a trace
// such a copy is skipped, and its readers read the source, if
//   - nobody can see the target when the trace has run: its buffer was freed during the capture;
//   - nothing is written to the source until the last of them has read, and to the target only by what replaces all of it.
// A copy of such a copy goes with it. Results keep their bits.
void skip_copies(std::vector<Command>& commands);

}  // namespace ttnn_cpu
