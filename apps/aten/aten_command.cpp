// SPDX-License-Identifier: Apache-2.0
#include "aten/aten_command.hpp"

#include <iostream>
#include <map>

#include <fmt/format.h>

#include "aten/aten_reports.hpp"
#include "golden.hpp"
#include "model_bench.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

#ifdef ZOO_WITH_TORCH

void print_counts(const std::vector<aten::Op>& ops) {
    struct Total {
        std::size_t count = 0;
        double milliseconds = 0;
    };
    std::map<std::string, Total> totals;
    for (const aten::Op& op : ops) {
        Total& total = totals[op.type];
        ++total.count;
        total.milliseconds += static_cast<double>(op.duration_ns) / 1e6;
    }
    using Align = Table::Align;
    Table table({{"aten op"}, {"count", Align::Right}, {"ms", Align::Right}});
    for (const auto& [type, total] : totals) {
        table.add({type, std::to_string(total.count), fmt::format("{:.2f}", total.milliseconds)});
    }
    table.print(std::cout);
    std::cout << fmt::format("\n{} ops, {} unique.\n", ops.size(), totals.size());
}

void trace_golden(const Bench& bench, const std::string& out) {
    if (!bench.golden) {
        fail("trace", "model ", bench.subject.model, " has no golden to trace");
    }
    const std::vector<aten::Op> ops = aten::trace(bench.golden);
    const std::string name = bench.subject.preset;
    aten::write_raw(ops, name, out);
    aten::write_profile(ops, name, out);
    aten::write_reports(out);
    std::cout << fmt::format("{} {}, {}, by libtorch in float32\n\n", bench.subject.model, name, bench.subject.size);
    print_counts(ops);
    std::cout << fmt::format(
        "\nWritten to {}: raw/fw_{}.json, profile/{}.json (chrome://tracing), and over all models that were traced "
        "into this\n"
        "directory: fw_node_count.csv, fw_total_input_size_dist/, fw_total_output_size_dist/, total_arguments/.\n",
        out, name, name);
}

#else

void trace_golden(const Bench&, const std::string&) {}

#endif

}  // namespace

void add_trace(const ModelEntry& model, CLI::App& command) {
    const auto out = std::make_shared<std::string>("stat");
    command.add_option("--out", *out, "The directory that the reports go to")->capture_default_str();
    model.add_bench(
        command, {.run =
                      [out](const Bench& bench, ttnn::MeshDevice&, const BenchFlags&) {
                          require_golden("trace");
                          trace_golden(bench, *out);
                      },
                  .golden = true});
}

}  // namespace zoo::apps
