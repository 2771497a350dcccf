// SPDX-License-Identifier: Apache-2.0
#pragma once

// What an application did with an embedded device, in full enough to do it once more elsewhere: its calls, and the buffers
// that came and went between and within them.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/tensor/spec/tensor_spec.hpp>
#include <ttnn_cpu/records.hpp>

namespace ttnn_cpu {

// A buffer that was allocated or freed, as a script needs it: with its spec, and with its place between calls.
struct BufferChange {
    std::uint64_t call_id = 0;     // the call that did it, 0 for the application
    std::uint64_t after_call = 0;  // the last call that had begun
    bool allocated = false;        // else freed
    tt::tt_metal::BufferType type = tt::tt_metal::BufferType::DRAM;
    std::uint64_t address = 0;
    std::optional<tt::tt_metal::TensorSpec> spec;  // of what was allocated
};

struct CallScript {
    Recording recording;
    std::vector<BufferChange> buffers;  // in order of time
};

// As start_recording and stop_recording, with the buffers.
void start_script(tt::tt_metal::distributed::MeshDevice& device);
CallScript stop_script(tt::tt_metal::distributed::MeshDevice& device);

// A JSON array in order of time: the application's calls, each with its arguments, tensors and device ops, and the buffers.
std::string to_json(const CallScript& script);

}  // namespace ttnn_cpu
