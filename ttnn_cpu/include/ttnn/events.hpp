// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tt-metalium/mesh_event.hpp>

#include "ttnn/common/queue_id.hpp"
#include "ttnn/distributed/types.hpp"

namespace ttnn {

using MeshEvent = tt::tt_metal::distributed::MeshEvent;

namespace events {

MeshEvent record_mesh_event(MeshDevice* mesh_device, std::optional<QueueId> cq_id);
// Makes a queue wait for the event; the caller goes on.
void wait_for_mesh_event(std::optional<QueueId> cq_id, const MeshEvent& event);
// Makes the caller wait.
void event_synchronize(const MeshEvent& event);

}  // namespace events
}  // namespace ttnn
