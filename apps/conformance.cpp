// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "conformance/golden_report.hpp"
#include "device_flags.hpp"
#include "progress.hpp"
#include "source_dir.hpp"
#include "table.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

using conformance::GoldenReport;
using conformance::GoldenRow;

struct GoldenOptions {
    std::string directory;
    bool json = false;
    bool markdown = false;
    DeviceFlags device;
};

nlohmann::json to_json(const GoldenRow& row) {
    nlohmann::json result{{"case", row.name}, {"op", row.op}};
    if (!row.problem.empty()) {
        result["problem"] = row.problem;
        return result;
    }
    result["values"] = row.ulp.count;
    result["exact"] = row.ulp.exact_share();
    result["within_1_ulp"] = row.ulp.within_1_share();
    if (row.ulp.far > 0) {
        result["worst_ulp"] = nullptr;  // an infinity or a NaN on one side only
    } else {
        result["worst_ulp"] = row.ulp.worst;
    }
    result["relative_error"] = row.comparison.relative_error;
    result["pcc"] = row.comparison.pcc;
    if (row.own_error) {
        result["golden_error"] = *row.own_error;
    }
    return result;
}

void print_table(const GoldenReport& report) {
    using Align = Table::Align;
    Table table(
        {{"case"},
         {"exact %", Align::Right},
         {"1 ULP %", Align::Right},
         {"worst ULP", Align::Right},
         {"rel. error", Align::Right},
         {"PCC", Align::Right},
         {"golden's own error", Align::Right}});
    for (const GoldenRow& row : report.rows) {
        if (!row.problem.empty()) {
            table.add_note(row.name, row.problem);
            continue;
        }
        table.add(
            {row.name, fmt::format("{:.2f}", 100 * row.ulp.exact_share()),
             fmt::format("{:.2f}", 100 * row.ulp.within_1_share()),
             row.ulp.far > 0 ? "inf" : std::to_string(row.ulp.worst), number(row.comparison.relative_error, 3),
             fmt::format("{:.7f}", row.comparison.pcc), row.own_error ? number(*row.own_error, 3) : ""});
    }
    table.print(std::cout);
}

void run(const GoldenOptions& options) {
    const std::string directory = options.directory.empty() ? source_path("tests/data/golden") : options.directory;
    const auto device = options.device.open(1, 0, 32768);
    GoldenReport report;
    {
        Progress progress("golden cases");
        report = conformance::run_directory(
            directory, *device,
            [&](std::size_t done, std::size_t total, const std::string& name) { progress.update(done, total, name); });
    }
    double worst_error = 0;
    double lowest_pcc = 1;
    for (const GoldenRow& row : report.rows) {
        if (row.problem.empty()) {
            worst_error = std::max(worst_error, row.comparison.relative_error);
            lowest_pcc = std::min(lowest_pcc, row.comparison.pcc);
        }
    }
    const std::size_t unknown = report.rows.size() - report.answered();
    if (options.json) {
        nlohmann::json rows = nlohmann::json::array();
        for (const GoldenRow& row : report.rows) {
            rows.push_back(to_json(row));
        }
        const nlohmann::json summary{{"cases", report.rows.size()},           {"answered", report.answered()},
                                     {"exact_cases", report.exact()},         {"without_answer", unknown},
                                     {"highest_relative_error", worst_error}, {"lowest_pcc", lowest_pcc}};
        std::cout
            << nlohmann::
                   json{{"directory", directory}, {"numerics", options.device.numerics}, {"cases", rows}, {"summary", summary}}
                       .dump(2)
            << '\n';
    } else if (options.markdown) {
        std::cout << conformance::markdown(report);
    } else {
        print_table(report);
        if (report.answered() > 0) {
            std::cout << fmt::format(
                "\n{} case{}, numerics {}: {} answered, {} of them exact in every value; highest relative error {}, "
                "lowest PCC {:.7f}",
                report.rows.size(), report.rows.size() == 1 ? "" : "s", options.device.numerics, report.answered(),
                report.exact(), number(worst_error, 3), lowest_pcc);
            std::cout << (unknown == 0 ? ".\n" : fmt::format("; {} without an answer, see their rows.\n", unknown));
        }
    }
    if (report.answered() == 0) {
        fail("conformance golden", "none of the cases in ", directory, " was answered; their rows say why");
    }
}

}  // namespace

void add_conformance(CLI::App& app) {
    CLI::App* command = app.add_subcommand("conformance", "How true the embedded device is to the real library");
    command->require_subcommand(1);
    CLI::App* golden =
        command->add_subcommand("golden", "Answers of the real TTNN, case by case, against the device's");
    const auto options = std::make_shared<GoldenOptions>();
    golden->add_option("--dir", options->directory, "A directory of golden files; the project's own by default");
    auto* const json = golden->add_flag("--json", options->json, "One JSON object instead of a table");
    golden->add_flag("--markdown", options->markdown, "A short table in Markdown, a row a family of cases")
        ->excludes(json);
    options->device.add_to(*golden);
    golden->callback([options] { run(*options); });
    add_replay(*command);
    add_refusals(*command);
}

}  // namespace zoo::apps
