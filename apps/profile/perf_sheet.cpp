// SPDX-License-Identifier: Apache-2.0
#include "profile/perf_sheet.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "profile/card_model.hpp"
#include "profile/text.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps::profile {

namespace {

using ttnn_cpu::OpRecord;
using ttnn_cpu::TensorRecord;

// All that a column needs of its row.
struct Row {
    const Run& run;
    const OpRecord& op;
    std::size_t index;
    Clock clock;
    Span span;
    std::uint64_t gap_ns;
    std::uint64_t replay;  // of its trace, counted from 1
    Work work;
    Ideal ideal;
};

struct Column {
    std::string name;
    std::function<std::string(const Row&)> cell;
};

// (base program id << 10) | device id, counted from 1.
std::uint64_t call_count(std::size_t index) { return (index + 1) << 10; }

std::string number(std::uint64_t value) { return std::to_string(value); }
std::uint64_t host_start(const Row& row) { return row.run.recording.ops.front().host_start_ns; }
std::string blank(const Row&) { return ""; }

std::uint64_t cycles(const Card& card, std::uint64_t ns) {
    return static_cast<std::uint64_t>(static_cast<double>(ns) * card.ghz);
}

// The profiler's own names for a tensor's last four dimensions: padded[logical].
std::string dimension(const TensorRecord& tensor, std::size_t from_end) {
    const auto padded = tensor.spec.padded_shape().view();
    const auto logical = tensor.spec.logical_shape().view();
    const auto at = [&](auto dims) { return from_end < dims.size() ? dims[dims.size() - 1 - from_end] : 1; };
    return fmt::format("{}[{}]", at(padded), at(logical));
}

void add_tensor_columns(
    std::vector<Column>& columns, const std::string& prefix, std::vector<TensorRecord> OpRecord::*tensors,
    std::size_t count) {
    constexpr std::array<std::string_view, 4> kAxes{"W", "Z", "Y", "X"};
    for (std::size_t i = 0; i < count; ++i) {
        const auto add = [&](const std::string& name, auto text) {
            columns.push_back({fmt::format("{}_{}_{}", prefix, i, name), [tensors, i, text](const Row& row) {
                                   const std::vector<TensorRecord>& list = row.op.*tensors;
                                   return i < list.size() ? std::string(text(list[i])) : std::string();
                               }});
        };
        for (std::size_t axis = 0; axis < kAxes.size(); ++axis) {
            add(fmt::format("{}_PAD[LOGICAL]", kAxes[axis]),
                [axis](const TensorRecord& tensor) { return dimension(tensor, 3 - axis); });
        }
        add("LAYOUT", [](const TensorRecord& tensor) { return layout_name(tensor.spec.layout()); });
        add("DATATYPE", [](const TensorRecord& tensor) { return dtype_name(tensor.spec.data_type()); });
        add("MEMORY", [](const TensorRecord& tensor) { return sheet_memory(tensor); });
    }
}

std::string bandwidths(const std::vector<TensorRecord>& tensors, double ideal_ns) {
    std::vector<std::string> list;
    for (const TensorRecord& tensor : tensors) {
        double bytes = bits_per_element(tensor.spec.data_type()) / 8;
        for (const auto dim : tensor.spec.padded_shape().view()) {
            bytes *= dim;
        }
        list.push_back(fmt::format("{:.2f}", bytes / ideal_ns));
    }
    return fmt::format("[{}]", fmt::join(list, "; "));
}

std::string hash_of(const OpRecord& op) {
    std::string key = op.name + op.attributes;
    for (const TensorRecord& input : op.inputs) {
        key += sheet_memory(input);
    }
    return number(std::hash<std::string>{}(key) >> 1);
}

std::vector<Column> all_columns(const Run& run) {
    std::size_t inputs = 0;
    std::size_t outputs = 0;
    for (const OpRecord& op : run.recording.ops) {
        inputs = std::max(inputs, op.inputs.size());
        outputs = std::max(outputs, op.outputs.size());
    }
    const auto duration = [](const Row& row) { return number(row.span.duration_ns); };
    std::vector<Column> columns{
        {"OP CODE", [](const Row& row) { return row.op.name; }},
        {"OP TYPE", [](const Row&) { return "tt_dnn_device"; }},
        {"GLOBAL CALL COUNT", [](const Row& row) { return number(call_count(row.index)); }},
        {"DEVICE ID", [](const Row&) { return "0"; }},
        {"DEVICE ARCH", [](const Row& row) { return row.run.card.arch; }},
        {"ATTRIBUTES", [](const Row& row) { return sheet_attributes(row.op); }},
        {"MATH FIDELITY", [](const Row& row) { return row.op.math_fidelity; }},
        {"CORE COUNT", [](const Row& row) { return number(row.op.core_count); }},
        {"AVAILABLE WORKER CORE COUNT", [](const Row& row) { return number(row.run.card.cores()); }},
        {"SUB DEVICE ID", blank},
        {"PARALLELIZATION STRATEGY", blank},
        {"HOST START TS", [](const Row& row) { return number(row.op.host_start_ns - host_start(row)); }},
        {"HOST END TS", [](const Row& row) { return number(row.op.host_end_ns - host_start(row)); }},
        {"HOST DURATION [ns]", [](const Row& row) { return number(row.op.host_end_ns - row.op.host_start_ns); }},
        {"DEVICE FW START CYCLE", [](const Row& row) { return number(cycles(row.run.card, row.span.start_ns)); }},
        {"DEVICE FW END CYCLE", [](const Row& row) { return number(cycles(row.run.card, row.span.end_ns())); }},
        {"OP TO OP LATENCY [ns]", [](const Row& row) { return number(row.gap_ns); }},
        {"OP TO OP LATENCY BR/NRISC START [ns]", [](const Row& row) { return number(row.gap_ns); }},
        {"DEVICE FW DURATION [ns]", duration},
        {"DEVICE KERNEL DURATION [ns]", duration},
        {"DEVICE KERNEL DURATION DM START [ns]", duration},
        {"DEVICE KERNEL DURATION PER CORE MIN [ns]", blank},
        {"DEVICE KERNEL DURATION PER CORE MAX [ns]", duration},
        {"DEVICE KERNEL DURATION PER CORE AVG [ns]", blank},
        {"DEVICE KERNEL FIRST TO LAST START [ns]", blank},
        {"DEVICE BRISC KERNEL DURATION [ns]", blank},
        {"DEVICE NCRISC KERNEL DURATION [ns]", blank},
        {"DEVICE TRISC0 KERNEL DURATION [ns]", blank},
        {"DEVICE TRISC1 KERNEL DURATION [ns]", blank},
        {"DEVICE TRISC2 KERNEL DURATION [ns]", blank},
        {"DEVICE ERISC KERNEL DURATION [ns]", blank},
        {"DEVICE COMPUTE CB WAIT FRONT [ns]", blank},
        {"DEVICE COMPUTE CB RESERVE BACK [ns]", blank},
        {"DISPATCH TOTAL CQ CMD OP TIME [ns]", blank},
        {"DISPATCH GO SEND WAIT TIME [ns]", blank}};
    add_tensor_columns(columns, "INPUT", &OpRecord::inputs, inputs);
    add_tensor_columns(columns, "OUTPUT", &OpRecord::outputs, outputs);
    const auto trace = [](const Row& row) { return row.op.trace_id == 0 ? std::string() : number(row.op.trace_id); };
    const std::vector<Column> rest{
        {"METAL TRACE ID", trace},
        {"METAL TRACE REPLAY SESSION ID",
         [](const Row& row) { return row.op.trace_id == 0 ? std::string() : number(row.replay); }},
        {"COMPUTE KERNEL SOURCE", blank},
        {"COMPUTE KERNEL HASH", blank},
        {"DATA MOVEMENT KERNEL SOURCE", blank},
        {"DATA MOVEMENT KERNEL HASH", blank},
        {"PROGRAM HASH", [](const Row& row) { return hash_of(row.op); }},
        {"PROGRAM CACHE HIT", [](const Row& row) { return row.op.program_cache_hit ? "True" : "False"; }},
        {"PM IDEAL [ns]", [](const Row& row) { return fmt::format("{:.0f}", row.ideal.ns()); }},
        {"PM COMPUTE [ns]", [](const Row& row) { return fmt::format("{:.0f}", row.ideal.compute_ns); }},
        {"PM BANDWIDTH [ns]", [](const Row& row) { return fmt::format("{:.0f}", row.ideal.bandwidth_ns); }},
        {"PM REQ I BW", [](const Row& row) { return bandwidths(row.op.inputs, row.ideal.ns()); }},
        {"PM REQ O BW", [](const Row& row) { return bandwidths(row.op.outputs, row.ideal.ns()); }},
        {"PM FPU UTIL (%)",
         [](const Row& row) {
             const auto ns = static_cast<double>(std::max<std::uint64_t>(1, row.span.duration_ns));
             return row.work.operations > 0 ? fmt::format("{:.3f}", 100 * row.ideal.compute_ns / ns) : "";
         }},
        {"NOC UTIL (%)", blank},
        {"MULTICAST NOC UTIL (%)", blank},
        {"DRAM BW UTIL (%)", blank},
        {"DRAM BW UTIL PER CTRL (%)", blank},
        {"ETH BW UTIL (%)", blank},
        {"NPE CONG IMPACT (%)", blank},
        {"CLOCK", [](const Row& row) { return std::string(describe(row.clock)); }}};
    columns.insert(columns.end(), rest.begin(), rest.end());
    return columns;
}

}  // namespace

std::string performance_sheet(const Run& run, Clock clock) {
    const std::vector<Column> columns = all_columns(run);
    std::string text;
    for (const Column& column : columns) {
        text += (text.empty() ? "" : ",") + column.name;
    }
    text += '\n';
    const std::vector<Span>& spans = run.spans(clock);
    struct Replays {
        std::uint64_t count = 0;
        std::uint64_t last_sequence = std::numeric_limits<std::uint64_t>::max();
    };
    std::map<std::uint32_t, Replays> traces;
    for (std::size_t i = 0; i < run.recording.ops.size(); ++i) {
        const OpRecord& op = run.recording.ops[i];
        Replays& replays = traces[op.trace_id];
        replays.count += op.sequence <= replays.last_sequence ? 1 : 0;  // from its first op again
        replays.last_sequence = op.sequence;
        const std::uint64_t previous_end = i == 0 ? spans[0].start_ns : spans[i - 1].end_ns();
        const Work work = work_of(op, run.card);
        const Row row{
            .run = run,
            .op = op,
            .index = i,
            .clock = clock,
            .span = spans[i],
            .gap_ns = spans[i].start_ns > previous_end ? spans[i].start_ns - previous_end : 0,
            .replay = replays.count,
            .work = work,
            .ideal = ideal_of(work, run.card)};
        bool first = true;
        for (const Column& column : columns) {
            std::string cell = column.cell(row);
            std::ranges::replace(cell, ',', ';');  // the format has no quoting
            text += (first ? "" : ",") + cell;
            first = false;
        }
        text += '\n';
    }
    return text;
}

std::string device_log(const Run& run, Clock clock) {
    std::string text = fmt::format(
        "ARCH: {}, CHIP_FREQ[MHz]: {:.0f}, Max Compute Cores: {}\n"
        "PCIe slot, core_x, core_y, RISC processor type, timer_id, time[cycles since reset], data, run host ID, trace "
        "id, "
        "trace id counter, zone name, type, source line, source file, meta data\n",
        run.card.arch, run.card.ghz * 1000, run.card.cores());
    const std::vector<Span>& spans = run.spans(clock);
    for (std::size_t i = 0; i < spans.size(); ++i) {
        for (const bool start : {true, false}) {
            text += fmt::format(
                "0,1,1,BRISC,1,{},0,{},,,BRISC-FW,{},1,brisc.cc,\n",
                cycles(run.card, start ? spans[i].start_ns : spans[i].end_ns()), call_count(i),
                start ? "ZONE_START" : "ZONE_END");
        }
    }
    return text;
}

std::filesystem::path write_performance(const Run& run, Clock clock, const std::filesystem::path& directory) {
    std::filesystem::path sheet = directory / fmt::format("ops_perf_results_{}_{}.csv", run.name, to_string(clock));
    write_file(sheet, performance_sheet(run, clock));
    write_file(directory / "profile_log_device.csv", device_log(run, clock));
    return sheet;
}

}  // namespace zoo::apps::profile
