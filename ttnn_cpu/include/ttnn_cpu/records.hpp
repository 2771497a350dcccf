// SPDX-License-Identifier: Apache-2.0
#pragma once

// What ran on an embedded device: the calls of the TTNN API with their arguments, and the device ops they became.
#include <cstdint>
#include <string>
#include <vector>

#include <tt-metalium/mesh_device.hpp>
#include <tt-metalium/tensor/spec/tensor_spec.hpp>

namespace ttnn_cpu {

struct TensorRecord {
    std::uint64_t tensor_id = 0;
    bool on_device = false;
    std::uint64_t address = 0;
    tt::tt_metal::TensorSpec spec;
};

// One device op, as the profiler sees it.
struct OpRecord {
    std::uint64_t id = 0;
    std::uint64_t call_id = 0;  // the API call that it belongs to, 0 for none
    std::string name;           // "MatmulDeviceOperation"
    std::string attributes;     // a JSON object
    std::vector<TensorRecord> inputs;
    std::vector<TensorRecord> outputs;
    std::string math_fidelity;
    std::uint32_t core_count = 0;
    std::uint32_t queue = 0;
    std::uint32_t trace_id = 0;  // 0 outside a trace
    bool program_cache_hit = false;
    std::uint64_t circular_buffer_bytes = 0;  // a core
    std::uint64_t l1_allocated_bytes = 0;     // a core, when the op was issued
    std::uint64_t host_start_ns = 0;
    std::uint64_t host_end_ns = 0;
    std::uint64_t device_start_ns = 0;  // measured on this CPU; 0 for an op that was only captured
    std::uint64_t device_end_ns = 0;
};

// One call of a function of the TTNN API, with every argument.
struct CallRecord {
    std::uint64_t id = 0;
    std::uint64_t parent_id = 0;  // the call that made it, 0 for one of the application
    std::string function;         // "ttnn::linear"
    std::string arguments;        // a JSON object; tensors are {"tensor": index into inputs}
    std::vector<TensorRecord> inputs;
    std::vector<TensorRecord> outputs;
    bool refused = false;  // the call threw
};

struct Recording {
    std::vector<CallRecord> calls;
    std::vector<OpRecord> ops;
};

// Recording costs nothing while it is off. start_recording forgets what an earlier one left.
void start_recording(tt::tt_metal::distributed::MeshDevice& device);
// Waits for the queues, then hands over what ran since start_recording.
Recording stop_recording(tt::tt_metal::distributed::MeshDevice& device);

}  // namespace ttnn_cpu
