// SPDX-License-Identifier: Apache-2.0
#include "aten/aten_command.hpp"

#include <iostream>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "aten/aten_reports.hpp"
#include "aten/traced.hpp"
#include "model_bench.hpp"
#include "out_flag.hpp"
#include "progress.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

void print_counts(const std::vector<aten::Op>& ops, bool backward) {
    struct Total {
        std::size_t forward = 0;
        std::size_t backward = 0;
        double milliseconds = 0;
    };
    std::map<std::string, Total> totals;
    Total all;
    for (const aten::Op& op : ops) {
        for (Total* total : {&totals[op.type], &all}) {
            ++(op.backward ? total->backward : total->forward);
            total->milliseconds += static_cast<double>(op.duration_ns) / 1e6;
        }
    }
    using Align = Table::Align;
    std::vector<Table::Column> columns{{"aten op"}, {backward ? "forward" : "count", Align::Right}};
    if (backward) {
        columns.push_back({"backward", Align::Right});
    }
    columns.push_back({"ms", Align::Right});
    Table table(std::move(columns));
    const auto add = [&](const std::string& name, const Total& total) {
        std::vector<std::string> cells{name, std::to_string(total.forward)};
        if (backward) {
            cells.push_back(std::to_string(total.backward));
        }
        cells.push_back(fmt::format("{:.2f}", total.milliseconds));
        table.add(std::move(cells));
    };
    for (const auto& [type, total] : totals) {
        add(type, total);
    }
    add("all", all);
    table.print(std::cout);
    std::cout << fmt::format("\n{} ops, {} unique.\n", ops.size(), totals.size());
}

void write_trace(const Bench& bench, const std::string& out, bool backward) {
    const aten::Trace trace = aten::trace_forward("trace", bench, backward);
    const std::string& name = bench.subject.preset;
    aten::write_raw(trace.ops, name, out);
    aten::write_profile(trace, name, out);
    aten::write_reports(out);
    std::cout << fmt::format("{} {}, {}, by libtorch in float32\n\n", bench.subject.model, name, bench.subject.size);
    print_counts(trace.ops, backward);
    std::cout << fmt::format(
        "\nWritten to {}: raw/fw_{}.json{}, profile/{}.json (chrome://tracing, Perfetto), and over all models that "
        "were "
        "traced\ninto this directory: fw_node_count.csv, fw_total_input_size_dist/, fw_total_output_size_dist/,{} "
        "total_arguments/.\n",
        out, name, backward ? fmt::format(" and bw_{}.json", name) : "", name, backward ? " the same of bw_...," : "");
}

}  // namespace

namespace aten {

namespace {

Trace trace_pass(
    std::string_view command, const Bench& bench, const std::function<void()>& pass, [[maybe_unused]] bool backward) {
    require_golden(command);
    if (!pass) {
        fail(command, "model ", bench.subject.model, " has no golden to trace");
    }
#ifdef ZOO_WITH_TORCH
    return with_progress(bench.subject.preset, "libtorch", [&] { return trace(pass, bench.parameters, backward); });
#else
    return {};
#endif
}

}  // namespace

Trace trace_forward(std::string_view command, const Bench& bench, bool backward) {
    return trace_pass(command, bench, bench.forward ? bench.forward : bench.golden, backward);
}

Trace trace_golden(std::string_view command, const Bench& bench) {
    return trace_pass(command, bench, bench.golden, false);
}

}  // namespace aten

void add_trace(const ModelEntry& model, CLI::App& command) {
    struct Options {
        std::string out = "stat";
        bool backward = false;
    };
    const auto options = std::make_shared<Options>();
    add_out(command, options->out);
    command.add_flag("--backward", options->backward, "Also the ops of the backward pass: gradients of all parameters");
    model.add_bench(
        command, {.host = [options](const Bench& bench) { write_trace(bench, options->out, options->backward); }});
}

}  // namespace zoo::apps
