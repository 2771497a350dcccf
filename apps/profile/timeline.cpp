// SPDX-License-Identifier: Apache-2.0
#include "profile/timeline.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "profile/card_model.hpp"
#include "profile/operations.hpp"
#include "profile/text.hpp"

namespace zoo::apps::profile {

namespace {

using nlohmann::json;
using ttnn_cpu::BufferRecord;
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
    explicit Writer(const Run& run) : run_(run) {
        if (!run.recording.ops.empty()) {
            const OpRecord& first = run.recording.ops.front();
            replayed_ = first.trace_id != 0;
            start_ns_ = replayed_ ? first.device_start_ns : first.host_start_ns;
        }
    }

    json all() {
        name_tracks();
        add_calls();
        add_ops();
        add_memory();
        return {
            {"displayTimeUnit", "ns"},
            {"otherData", {{"run", run_.title}, {"clock", describe(Clock::Cpu)}, {"board", run_.card.board}}},
            {"traceEvents", std::move(events_)}};
    }

private:
    [[nodiscard]] double us(std::uint64_t ns) const {
        return ns <= start_ns_ ? 0 : static_cast<double>(ns - start_ns_) / 1000;
    }

    void name_tracks() {
        events_.push_back(name_of("process_name", kHost, std::nullopt, "host"));
        events_.push_back(name_of("thread_name", kHost, 1, "TTNN calls"));
        events_.push_back(name_of(
            "process_name", kDevice, std::nullopt,
            fmt::format("device 0 ({}, embedded, {})", run_.card.arch, describe(Clock::Cpu))));
        std::set<std::uint32_t> queues;
        for (const OpRecord& op : run_.recording.ops) {
            queues.insert(op.queue);
        }
        for (const std::uint32_t queue : queues) {
            events_.push_back(
                name_of("thread_name", kDevice, static_cast<int>(queue) + 1, fmt::format("queue {}", queue)));
        }
    }

    // A call, from the moment its first op is issued until its last one is.
    // A replayed trace was issued at its capture, long before: the host then has nothing to show.
    void add_calls() {
        if (replayed_) {
            return;
        }
        for (const Operation& operation : operations_of(run_.recording)) {
            const OpRecord& first = run_.recording.ops[operation.ops.front()];
            const OpRecord& last = run_.recording.ops[operation.ops.back()];
            json arguments = json::object();
            for (const auto& [name, value] : operation.arguments) {
                arguments[name] = value;
            }
            events_.push_back(
                {{"ph", "X"},
                 {"name", operation.name},
                 {"cat", "call"},
                 {"pid", kHost},
                 {"tid", 1},
                 {"ts", us(first.host_start_ns)},
                 {"dur", static_cast<double>(last.host_end_ns - first.host_start_ns) / 1000},
                 {"args", std::move(arguments)}});
        }
    }

    void add_ops() {
        for (std::size_t i = 0; i < run_.recording.ops.size(); ++i) {
            const OpRecord& op = run_.recording.ops[i];
            const Span& span = run_.cpu[i];
            const double start = us(op.device_start_ns);
            const int track = static_cast<int>(op.queue) + 1;
            events_.push_back(
                {{"ph", "X"},
                 {"name", op.name},
                 {"cat", to_string(kind_of(op.name))},
                 {"pid", kDevice},
                 {"tid", track},
                 {"ts", start},
                 {"dur", static_cast<double>(span.duration_ns) / 1000},
                 {"args",
                  {{"global_call_count", (i + 1) << 10},
                   {"core_count", op.core_count},
                   {"math_fidelity", op.math_fidelity},
                   {"modelled_card_ns", run_.card_time[i].duration_ns},
                   {"attributes", op.attributes}}}});
            if (!replayed_) {
                const double issued = us((op.host_start_ns + op.host_end_ns) / 2);
                events_.push_back(
                    {{"ph", "s"},
                     {"name", "dispatch"},
                     {"cat", "flow"},
                     {"id", i + 1},
                     {"pid", kHost},
                     {"tid", 1},
                     {"ts", issued}});
                events_.push_back(
                    {{"ph", "f"},
                     {"bp", "e"},
                     {"name", "dispatch"},
                     {"cat", "flow"},
                     {"id", i + 1},
                     {"pid", kDevice},
                     {"tid", track},
                     {"ts", start + static_cast<double>(span.duration_ns) / 2000}});
            }
        }
    }

    // At the start of each op: buffers alive when it was issued, and its circular buffers while it runs.
    void add_memory() {
        auto event = run_.recording.buffers.begin();
        std::uint64_t dram = 0;
        for (const OpRecord& op : run_.recording.ops) {
            for (; event != run_.recording.buffers.end() && event->sequence < op.sequence; ++event) {
                if (event->type == ttnn::BufferType::DRAM) {
                    const std::uint64_t bytes = event->bytes_per_bank * run_.card.dram_banks;
                    dram = event->event == BufferRecord::Event::Freed ? dram - bytes : dram + bytes;
                }
            }
            const double start = us(op.device_start_ns);
            add_counter(
                "L1 bytes per core", start,
                {{"tensors", op.l1_allocated_bytes}, {"circular buffers", op.circular_buffer_bytes}});
            add_counter(
                "L1 bytes per core", us(op.device_end_ns),
                {{"tensors", op.l1_allocated_bytes}, {"circular buffers", 0}});
            add_counter("DRAM bytes", start, {{"tensors", dram}});
        }
    }

    void add_counter(const char* name, double ts, json values) {
        events_.push_back({{"ph", "C"}, {"name", name}, {"pid", kDevice}, {"ts", ts}, {"args", std::move(values)}});
    }

    const Run& run_;
    std::uint64_t start_ns_ = 0;
    bool replayed_ = false;
    json events_ = json::array();
};

}  // namespace

std::string timeline(const Run& run) { return Writer(run).all().dump(); }

}  // namespace zoo::apps::profile
