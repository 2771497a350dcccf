// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt-metalium/mesh_trace_id.hpp>

#include "ttnn/types.hpp"

namespace ttnn {

using MeshTraceId = tt::tt_metal::distributed::MeshTraceId;

namespace operations::trace {

// Between begin and end, ops on the queue are recorded and not run. Host transfers and events on that queue throw.
MeshTraceId begin_trace_capture(MeshDevice* device, std::optional<QueueId> cq_id);
void end_trace_capture(MeshDevice* device, MeshTraceId trace_id, std::optional<QueueId> cq_id);
void execute_trace(MeshDevice* device, MeshTraceId trace_id, std::optional<QueueId> cq_id, bool blocking);
void release_trace(MeshDevice* device, MeshTraceId trace_id);

}  // namespace operations::trace
}  // namespace ttnn
