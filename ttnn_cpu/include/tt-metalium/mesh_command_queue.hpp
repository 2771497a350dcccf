// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ttnn_cpu {
class CommandQueue;
}

namespace tt::tt_metal::distributed {

// Work in the order in which it was given; the two queues of a device are ordered by events only.
class MeshCommandQueue {
public:
    MeshCommandQueue(std::uint32_t id, ttnn_cpu::CommandQueue& impl) : id_(id), impl_(&impl) {}

    std::uint32_t id() const { return id_; }
    ttnn_cpu::CommandQueue& impl() { return *impl_; }

private:
    std::uint32_t id_;
    ttnn_cpu::CommandQueue* impl_;
};

}  // namespace tt::tt_metal::distributed
