// SPDX-License-Identifier: Apache-2.0
#include "profile/captured_graph.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "profile/text.hpp"

namespace zoo::apps::profile {

namespace {

using nlohmann::json;
using ttnn_cpu::BufferRecord;
using ttnn_cpu::OpRecord;

class Graph {
public:
    explicit Graph(const Run& run) : run_(run) {}

    void add(const char* type, json params, int level = 0) {
        const std::size_t id = nodes_.size();
        if (id > 0) {
            nodes_.back()["connections"].push_back(id);
        }
        nodes_.push_back(
            {{"counter", id},
             {"id", id},
             {"node_type", type},
             {"params", std::move(params)},
             {"connections", json::array()},
             {"arguments", json::array()},
             {"input_tensors", json::array()},
             {"stacking_level", level}});
    }

    // Buffers up to this place in the sequence.
    void add_buffers(std::uint64_t from, std::uint64_t to) {
        for (const BufferRecord& buffer : run_.recording.buffers) {
            if (buffer.event == BufferRecord::Event::Live || buffer.sequence < from || buffer.sequence >= to) {
                continue;
            }
            const bool comes = buffer.event == BufferRecord::Event::Allocated;
            const std::uint32_t cores = buffer.num_cores == 0 ? run_.card.cores() : buffer.num_cores;
            add(comes ? "buffer_allocate" : "buffer_deallocate",
                {{"size", std::to_string(buffer.bytes)},
                 {"address", std::to_string(buffer.address)},
                 {"type", buffer_type_name(buffer.type)},
                 {"layout", memory_layout_name(buffer.layout)},
                 {"page_size", std::to_string(buffer.page_size)},
                 {"num_cores", std::to_string(cores)},
                 {"device_id", "0"},
                 {"max_size_per_bank", std::to_string(buffer.bytes_per_bank)}},
                2);
        }
    }

    void add_op(const OpRecord& op) {
        add("function_start", {{"name", op.name}, {"inputs", std::to_string(op.inputs.size())}}, 2);
        if (op.circular_buffer_bytes > 0) {
            add("circular_buffer_allocate",
                {{"size", std::to_string(op.circular_buffer_bytes)},
                 {"address", std::to_string(run_.card.l1_base)},
                 {"core_range_set", core_range_text(op.core_count, run_.card.grid_x)},
                 {"globally_allocated", "0"},
                 {"device_id", "0"}},
                3);
            add("circular_buffer_deallocate_all", json::object(), 3);
        }
        add("function_end", {{"name", op.name}}, 2);
    }

    [[nodiscard]] std::string text() const { return nodes_.dump(); }

private:
    const Run& run_;
    json nodes_ = json::array();
};

}  // namespace

std::string captured_graph(const Run& run, const Operation& operation) {
    Graph graph(run);
    graph.add("capture_start", json::object());
    graph.add("function_start", {{"name", operation.name}, {"inputs", std::to_string(operation.inputs.size())}}, 1);
    std::uint64_t from = operation.sequence;
    for (const std::size_t index : operation.ops) {
        const OpRecord& op = run.recording.ops[index];
        graph.add_buffers(from, op.sequence);
        graph.add_op(op);
        from = op.sequence + 1;
    }
    graph.add("function_end", {{"name", operation.name}}, 1);
    graph.add("capture_end", json::object());
    return graph.text();
}

}  // namespace zoo::apps::profile
