// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

namespace ttnn_cpu {
class EventState;
}

namespace tt::tt_metal::distributed {

class MeshDevice;

// A point in a command queue.
class MeshEvent {
public:
    MeshEvent(
        std::uint32_t id, MeshDevice* device, std::uint32_t mesh_cq_id, std::shared_ptr<ttnn_cpu::EventState> state)
        : id_(id), device_(device), mesh_cq_id_(mesh_cq_id), state_(std::move(state)) {}

    std::uint32_t id() const { return id_; }
    MeshDevice* device() const { return device_; }
    std::uint32_t mesh_cq_id() const { return mesh_cq_id_; }
    const std::shared_ptr<ttnn_cpu::EventState>& state() const { return state_; }

private:
    std::uint32_t id_;
    MeshDevice* device_;
    std::uint32_t mesh_cq_id_;
    std::shared_ptr<ttnn_cpu::EventState> state_;
};

}  // namespace tt::tt_metal::distributed
