// SPDX-License-Identifier: Apache-2.0
#include <ttnn_cpu/call_script.hpp>

#include <map>
#include <unordered_map>

#include "core/buffer_log.hpp"
#include "core/device_impl.hpp"
#include "core/json_text.hpp"

namespace ttnn_cpu {

namespace {

JsonText describe(const TensorRecord& tensor) {
    JsonText json;
    json.field("on_device", tensor.on_device).field("address", tensor.address).field("spec", tensor.spec);
    return json;
}

JsonText describe(const OpRecord& op) {
    JsonText json;
    json.field("name", op.name)
        .field("core_count", op.core_count)
        .field("circular_buffer_bytes", op.circular_buffer_bytes)
        .field("l1_allocated_bytes", op.l1_allocated_bytes);
    return json;
}

template <typename Record>
std::vector<JsonText> describe_all(const std::vector<Record>& records) {
    std::vector<JsonText> list;
    for (const Record& record : records) {
        list.push_back(describe(record));
    }
    return list;
}

std::string describe(const CallRecord& call, const std::vector<JsonText>& ops) {
    JsonText json;
    json.field("call", call.function)
        .field("inputs", describe_all(call.inputs))
        .field("outputs", describe_all(call.outputs))
        .field("refused", call.refused)
        .field("ops", ops);
    // The arguments are an object already.
    std::string text = json.str();
    text.pop_back();
    return text + ",\"arguments\":" + call.arguments + "}";
}

std::string describe(const BufferChange& buffer) {
    JsonText json;
    json.field("buffer", buffer.allocated ? "allocated" : "freed")
        .field("within_call", buffer.call_id != 0)
        .field("type", buffer.type)
        .field("address", buffer.address)
        .field("spec", buffer.spec);
    return json.str();
}

}  // namespace

void start_script(tt::tt_metal::distributed::MeshDevice& device) {
    start_recording(device);
    buffer_log::start(*device.impl().memory());
}

CallScript stop_script(tt::tt_metal::distributed::MeshDevice& device) {
    return {.recording = stop_recording(device), .buffers = buffer_log::stop(*device.impl().memory())};
}

std::string to_json(const CallScript& script) {
    std::unordered_map<std::uint64_t, std::uint64_t> outermost;  // call of the application, by the id of each call
    for (const CallRecord& call : script.recording.calls) {
        const auto parent = outermost.find(call.parent_id);
        outermost[call.id] = parent == outermost.end() ? call.id : parent->second;
    }
    std::unordered_map<std::uint64_t, std::vector<JsonText>> ops;
    for (const OpRecord& op : script.recording.ops) {
        if (const auto call = outermost.find(op.call_id); call != outermost.end()) {
            ops[call->second].push_back(describe(op));
        }
    }
    std::multimap<std::uint64_t, std::string> events;  // equal keys stay in order of insertion
    for (const CallRecord& call : script.recording.calls) {
        if (outermost[call.id] == call.id) {
            events.emplace(call.id, describe(call, ops[call.id]));
        }
    }
    for (const BufferChange& buffer : script.buffers) {
        events.emplace(buffer.after_call, describe(buffer));
    }
    std::string text = "[";
    for (const auto& [id, event] : events) {
        text += (text.size() > 1 ? ",\n" : "\n") + event;
    }
    return text + "\n]\n";
}

}  // namespace ttnn_cpu
