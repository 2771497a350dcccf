// SPDX-License-Identifier: Apache-2.0
#pragma once

// Whether an embedded device computes, and what its queues do beside ops.
#include <cstdint>
#include <vector>

#include <tt-metalium/mesh_device.hpp>

namespace ttnn_cpu {

// The next device that is opened, and that one alone, does not compute: ops are checked, placed, captured and recorded as ever, but their
// kernels do not run, and what they would write stays as it was. For whoever asks what a model does, not what it answers.
void open_next_without_computing();
bool computes(const tt::tt_metal::distributed::MeshDevice& device);

// A tensor that crossed between host and device, or a trace whose ops a queue ran again.
struct CommandRecord {
    enum class What { Write, Read, Replay };

    What what = What::Write;
    std::uint32_t queue = 0;
    std::uint32_t trace_id = 0;  // of a replay
    std::uint64_t bytes = 0;     // of a write or read
    std::uint64_t host_ns = 0;   // when the host asked for it
    std::uint64_t start_ns = 0;
    std::uint64_t end_ns = 0;
};

// Waits for the queues, then hands over what they did while the device recorded (records.hpp) and nobody has taken yet.
std::vector<CommandRecord> take_commands(tt::tt_metal::distributed::MeshDevice& device);

}  // namespace ttnn_cpu
