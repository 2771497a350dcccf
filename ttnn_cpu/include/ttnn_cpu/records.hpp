// SPDX-License-Identifier: Apache-2.0
#pragma once

// What ran on an embedded device: the calls of the TTNN API with their arguments, and the device ops they became.
#include <cstdint>
#include <string>
#include <vector>

#include <tt-metalium/buffer_types.hpp>
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
    std::uint64_t call_id = 0;   // the API call that it belongs to, 0 for none
    std::uint64_t sequence = 0;  // its place among ops and buffers, in the order in which the host issued them
    std::string name;            // "MatmulDeviceOperation"
    std::string attributes;      // a JSON object
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

// A buffer that came or went, or was there when the recording started.
struct BufferRecord {
    enum class Event { Live, Allocated, Freed };

    Event event = Event::Live;
    std::uint64_t sequence = 0;  // as OpRecord's
    std::uint64_t time_ns = 0;
    tt::tt_metal::BufferType type = tt::tt_metal::BufferType::DRAM;
    tt::tt_metal::TensorMemoryLayout layout = tt::tt_metal::TensorMemoryLayout::INTERLEAVED;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;           // over all banks
    std::uint64_t bytes_per_bank = 0;  // what it takes of each
    std::uint64_t page_size = 0;
    std::uint32_t num_cores = 0;  // that hold a shard; 0 when interleaved
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
    std::vector<BufferRecord> buffers;
};

// Recording costs nothing while it is off. start_recording forgets what an earlier one left.
void start_recording(tt::tt_metal::distributed::MeshDevice& device);
// Waits for the queues, then hands over what ran since start_recording.
Recording stop_recording(tt::tt_metal::distributed::MeshDevice& device);

}  // namespace ttnn_cpu
