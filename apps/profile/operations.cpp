// SPDX-License-Identifier: Apache-2.0
#include "profile/operations.hpp"

#include <algorithm>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "profile/text.hpp"

namespace zoo::apps::profile {

namespace {

using ttnn_cpu::CallRecord;
using ttnn_cpu::OpRecord;

// "ttnn::transformer::concatenate_heads" as Python users know it.
std::string python_name(std::string name) {
    for (std::size_t at = name.find("::"); at != std::string::npos; at = name.find("::")) {
        name.replace(at, 2, ".");
    }
    return name;
}

std::vector<std::pair<std::string, std::string>> arguments_of(const CallRecord& call) {
    std::vector<std::pair<std::string, std::string>> list;
    const nlohmann::json object = nlohmann::json::parse(call.arguments, nullptr, false);
    if (object.is_object()) {
        for (const auto& [name, value] : object.items()) {
            list.emplace_back(name, plain_value(value.dump()));
        }
    }
    return list;
}

}  // namespace

std::vector<Operation> operations_of(const ttnn_cpu::Recording& recording) {
    std::unordered_map<std::uint64_t, const CallRecord*> calls;
    for (const CallRecord& call : recording.calls) {
        calls.emplace(call.id, &call);
    }
    // The host issued a trace's ops before, and once for all replays: what lies between two ops is told by the order of issue.
    std::vector<std::uint64_t> issued;
    for (const OpRecord& op : recording.ops) {
        issued.push_back(op.sequence);
    }
    std::ranges::sort(issued);
    const auto before = [&](const OpRecord& op) {
        const auto place = std::ranges::lower_bound(issued, op.sequence);
        return place == issued.begin() ? 0 : *std::prev(place);
    };
    std::vector<Operation> operations;
    const CallRecord* last = nullptr;
    std::uint64_t previous = 0;
    for (std::size_t i = 0; i < recording.ops.size(); ++i) {
        const OpRecord& op = recording.ops[i];
        const CallRecord* call = nullptr;
        for (auto found = calls.find(op.call_id); found != calls.end(); found = calls.find(call->parent_id)) {
            call = found->second;
        }
        if (call == nullptr) {
            operations.push_back(
                {.name = op.name,
                 .inputs = op.inputs,
                 .outputs = op.outputs,
                 .ops = {i},
                 .sequence = before(op) + 1,
                 .end_sequence = op.sequence});
        } else if (call == last && op.sequence > previous) {
            operations.back().ops.push_back(i);
            operations.back().end_sequence = op.sequence;
        } else {
            operations.push_back(
                {.name = python_name(call->function),
                 .arguments = arguments_of(*call),
                 .inputs = call->inputs,
                 .outputs = call->outputs,
                 .ops = {i},
                 .sequence = before(op) + 1,
                 .end_sequence = op.sequence});
        }
        last = call;
        previous = op.sequence;
    }
    return operations;
}

}  // namespace zoo::apps::profile
