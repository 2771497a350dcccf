// SPDX-License-Identifier: Apache-2.0
#include "profile/timeline.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profile/card_model.hpp"
#include "profile/operations.hpp"
#include "profile/text.hpp"

namespace zoo::apps::profile {

namespace {

using nlohmann::json;
using ttnn_cpu::BufferRecord;
using ttnn_cpu::CommandRecord;
using ttnn_cpu::OpRecord;

constexpr int kHost = 1;
constexpr int kDevice = 2;

json name_of(const char* what, int pid, std::optional<int> tid, const std::string& name) {
    json event{{"ph", "M"}, {"name", what}, {"pid", pid}, {"args", {{"name", name}}}};
    if (tid) {
        event["tid"] = *tid;
    }
    return event;
}

class Writer {
public:
    explicit Writer(const Run& run) : run_(run), clock_(run.measured() ? Clock::Cpu : Clock::Card) {
        if (run.recording.ops.empty()) {
            return;
        }
        const OpRecord& first = run.recording.ops.front();
        first_op_ns_ = first.device_start_ns;
        start_ns_ = first.trace_id != 0 ? first.device_start_ns : first.host_start_ns;
        for (const CommandRecord& command : run.commands) {
            start_ns_ = std::min(start_ns_, command.host_ns);
        }
    }

    json all() {
        name_tracks();
        if (run_.measured()) {
            add_calls();
            add_commands();
        }
        add_ops();
        add_memory();
        return {
            {"displayTimeUnit", "ns"},
            {"otherData", {{"run", run_.title}, {"clock", describe(clock_)}, {"board", run_.card.board}}},
            {"traceEvents", std::move(events_)}};
    }

private:
    [[nodiscard]] double us(std::uint64_t ns) const {
        return ns <= start_ns_ ? 0 : static_cast<double>(ns - start_ns_) / 1000;
    }
    // When an op of the recording started and ended, by the timeline's clock.
    [[nodiscard]] double started(std::size_t op) const {
        const std::uint64_t ns = run_.spans(clock_)[op].start_ns;
        return clock_ == Clock::Card ? static_cast<double>(ns) / 1000 : us(first_op_ns_ + ns);
    }
    [[nodiscard]] double lasted(std::size_t op) const {
        return static_cast<double>(run_.spans(clock_)[op].duration_ns) / 1000;
    }

    void name_tracks() {
        if (run_.measured()) {
            events_.push_back(name_of("process_name", kHost, std::nullopt, "host"));
            events_.push_back(name_of("thread_name", kHost, 1, "TTNN calls"));
        }
        events_.push_back(name_of(
            "process_name", kDevice, std::nullopt,
            fmt::format("device 0 ({}, embedded, {})", run_.card.arch, describe(clock_))));
        std::set<std::uint32_t> queues;
        for (const OpRecord& op : run_.recording.ops) {
            queues.insert(op.queue);
        }
        if (run_.measured()) {
            for (const CommandRecord& command : run_.commands) {
                queues.insert(command.queue);
            }
        }
        for (const std::uint32_t queue : queues) {
            events_.push_back(
                name_of("thread_name", kDevice, static_cast<int>(queue) + 1, fmt::format("queue {}", queue)));
        }
    }

    void add_slice(const std::string& name, const char* category, int pid, int tid, double ts, double dur, json args) {
        events_.push_back(
            {{"ph", "X"},
             {"name", name},
             {"cat", category},
             {"pid", pid},
             {"tid", tid},
             {"ts", ts},
             {"dur", dur},
             {"args", std::move(args)}});
    }

    // From a moment within a slice of the host to one within a slice of a queue.
    void add_flow(double issued, int track, double reached) {
        const std::size_t id = ++flows_;
        events_.push_back(
            {{"ph", "s"},
             {"name", "dispatch"},
             {"cat", "flow"},
             {"id", id},
             {"pid", kHost},
             {"tid", 1},
             {"ts", issued}});
        events_.push_back(
            {{"ph", "f"},
             {"bp", "e"},
             {"name", "dispatch"},
             {"cat", "flow"},
             {"id", id},
             {"pid", kDevice},
             {"tid", track},
             {"ts", reached}});
    }

    // When the host turned to something else: the starts and ends of its calls, and the commands it asked for, in order.
    [[nodiscard]] std::vector<std::uint64_t> host_moments() const {
        std::vector<std::uint64_t> moments;
        for (const OpRecord& op : run_.recording.ops) {
            if (op.trace_id == 0) {
                moments.insert(moments.end(), {op.host_start_ns, op.host_end_ns});
            }
        }
        for (const CommandRecord& command : run_.commands) {
            moments.push_back(command.host_ns);
        }
        std::ranges::sort(moments);
        return moments;
    }

    // What crosses between host and device, and the replays whose ops stand within them.
    void add_commands() {
        const std::vector<std::uint64_t> moments = host_moments();
        for (const CommandRecord& command : run_.commands) {
            const bool replay = command.what == CommandRecord::What::Replay;
            const char* call = replay                                       ? "ttnn.execute_trace"
                               : command.what == CommandRecord::What::Write ? "ttnn.copy_to_device"
                                                                            : "ttnn.copy_to_host";
            const char* name = replay ? "trace" : command.what == CommandRecord::What::Write ? "write" : "read";
            const int track = static_cast<int>(command.queue) + 1;
            const json args = replay ? json{{"trace_id", command.trace_id}} : json{{"bytes", command.bytes}};
            constexpr std::uint64_t kCallNs = 200;  // the host only asks for it and goes on, sometimes sooner
            const auto next = std::ranges::upper_bound(moments, command.host_ns);
            const std::uint64_t left =
                next == moments.end() ? command.host_ns + kCallNs : std::min(*next, command.host_ns + kCallNs);
            const double asked = us(command.host_ns);
            const double call_us = us(left) - asked;
            const double start = us(command.start_ns);
            const double duration = static_cast<double>(command.end_ns - command.start_ns) / 1000;
            add_slice(call, "call", kHost, 1, asked, call_us, args);
            add_slice(name, replay ? "trace" : "transfer", kDevice, track, start, duration, args);
            // Before the first op of a trace begins: its slice must be the innermost one there.
            add_flow(asked + call_us / 2, track, start);
        }
    }

    // A call, from the moment its first op is issued until its last one is.
    // A replayed trace was issued at its capture, long before: of the host there is only the call that replays it.
    void add_calls() {
        for (const Operation& operation : operations_of(run_.recording)) {
            const OpRecord& first = run_.recording.ops[operation.ops.front()];
            if (first.trace_id != 0) {
                continue;
            }
            const OpRecord& last = run_.recording.ops[operation.ops.back()];
            json arguments = json::object();
            for (const auto& [name, value] : operation.arguments) {
                arguments[name] = value;
            }
            add_slice(
                operation.name, "call", kHost, 1, us(first.host_start_ns),
                static_cast<double>(last.host_end_ns - first.host_start_ns) / 1000, std::move(arguments));
        }
    }

    void add_ops() {
        for (std::size_t i = 0; i < run_.recording.ops.size(); ++i) {
            const OpRecord& op = run_.recording.ops[i];
            const int track = static_cast<int>(op.queue) + 1;
            add_slice(
                op.name, to_string(kind_of(op.name)).data(), kDevice, track, started(i), lasted(i),
                {{"global_call_count", (i + 1) << 10},
                 {"core_count", op.core_count},
                 {"math_fidelity", op.math_fidelity},
                 {"modelled_card_ns", run_.card_time[i].duration_ns},
                 {"attributes", op.attributes}});
            if (run_.measured() && op.trace_id == 0) {
                add_flow(us((op.host_start_ns + op.host_end_ns) / 2), track, started(i) + lasted(i) / 2);
            }
        }
    }

    // At the start of each op: buffers alive when it was issued, and its circular buffers while it runs.
    void add_memory() {
        auto event = run_.recording.buffers.begin();
        std::uint64_t dram = 0;
        std::uint64_t last_sequence = 0;
        for (std::size_t i = 0; i < run_.recording.ops.size(); ++i) {
            const OpRecord& op = run_.recording.ops[i];
            if (op.sequence < last_sequence) {  // a trace's ops were issued before those that ran just now
                event = run_.recording.buffers.begin();
                dram = 0;
            }
            last_sequence = op.sequence;
            for (; event != run_.recording.buffers.end() && event->sequence < op.sequence; ++event) {
                if (event->type == ttnn::BufferType::DRAM) {
                    const std::uint64_t bytes = event->bytes_per_bank * run_.card.dram_banks;
                    dram = event->event == BufferRecord::Event::Freed ? dram - bytes : dram + bytes;
                }
            }
            const double start = started(i);
            add_counter(
                "L1 bytes per core", start,
                {{"tensors", op.l1_allocated_bytes}, {"circular buffers", op.circular_buffer_bytes}});
            add_counter(
                "L1 bytes per core", start + lasted(i), {{"tensors", op.l1_allocated_bytes}, {"circular buffers", 0}});
            add_counter("DRAM bytes", start, {{"tensors", dram}});
        }
    }

    void add_counter(const char* name, double ts, json values) {
        events_.push_back({{"ph", "C"}, {"name", name}, {"pid", kDevice}, {"ts", ts}, {"args", std::move(values)}});
    }

    const Run& run_;
    Clock clock_;
    std::uint64_t start_ns_ = 0;
    std::uint64_t first_op_ns_ = 0;
    std::size_t flows_ = 0;
    json events_ = json::array();
};

}  // namespace

std::string timeline(const Run& run) { return Writer(run).all().dump(); }

}  // namespace zoo::apps::profile
