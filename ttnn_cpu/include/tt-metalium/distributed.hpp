// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tt-metalium/mesh_command_queue.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/mesh_event.hpp>
#include <tt_stl/optional_reference.hpp>

namespace tt::tt_metal::distributed {

// Blocks until the queue, or every queue, has done all it was given.
void Synchronize(MeshDevice& device, ttsl::optional_reference<MeshCommandQueue> mesh_cq);
void Finish(MeshCommandQueue& mesh_cq);
void EventSynchronize(const MeshEvent& event);
bool EventQuery(const MeshEvent& event);

}  // namespace tt::tt_metal::distributed
