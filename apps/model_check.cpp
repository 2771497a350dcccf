// SPDX-License-Identifier: Apache-2.0
#include "model_check.hpp"

#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "progress.hpp"
#include "table.hpp"
#include "zoo/metrics.hpp"

namespace zoo::apps {

namespace {

struct Cell {
    std::string version;
    std::string numerics;
    Comparison comparison;
};

struct Row {
    std::string module;
    std::vector<Cell> cells;
};

void print_json(const Subject& subject, const std::vector<Row>& rows) {
    nlohmann::json result{{"model", subject.model}, {"preset", subject.preset}, {"weights", subject.weights}};
    for (const auto& [name, value] : subject.sizes) {
        result[name] = value;
    }
    for (const Row& row : rows) {
        for (const Cell& cell : row.cells) {
            result["modules"].push_back(
                {{"module", row.module},
                 {"version", cell.version},
                 {"numerics", cell.numerics},
                 {"pcc", cell.comparison.pcc},
                 {"relative_error", cell.comparison.relative_error}});
        }
    }
    std::cout << result.dump(2) << '\n';
}

void print_table(const Subject& subject, const std::vector<Row>& rows, bool name_numerics) {
    std::cout << fmt::format(
        "{} {}, weights {}, {}: PCC and relative error against libtorch in float32\n\n", subject.model, subject.preset,
        subject.weights, subject.size);
    using Align = Table::Align;
    std::vector<Table::Column> columns{{"module"}};
    for (const Cell& cell : rows.front().cells) {
        const std::string name = name_numerics ? cell.version + " " + cell.numerics : cell.version;
        columns.push_back({name + " PCC", Align::Right});
        columns.push_back({"error", Align::Right});
    }
    Table table(columns);
    for (const Row& row : rows) {
        std::vector<std::string> cells{row.module};
        for (const Cell& cell : row.cells) {
            cells.push_back(fmt::format("{:.6f}", cell.comparison.pcc));
            cells.push_back(fmt::format("{:.1e}", cell.comparison.relative_error));
        }
        table.add(std::move(cells));
    }
    table.print(std::cout);
}

}  // namespace

void CheckFlags::add_to(CLI::App& command) {
    if (ttnn_cpu::embedded()) {
        command.add_option("--numerics", numerics, "fast, wormhole, or both as fast,wormhole")
            ->delimiter(',')
            ->check(CLI::IsMember({"fast", "wormhole"}))
            ->capture_default_str();
    }
    device.add_board_to(command);
    device.add_threads_to(command);
    add_json(command, json);
}

void check_modules(
    const Subject& subject, const std::vector<CheckedModule>& modules, ttnn::MeshDevice& device,
    const CheckFlags& flags) {
    for (const std::string& numerics : flags.numerics) {
        if (std::ranges::count(flags.numerics, numerics) > 1) {
            fail("check", "--numerics names ", numerics, " more than once");
        }
    }
    std::vector<Row> rows;
    {
        Progress progress(subject.model);
        for (const CheckedModule& module : modules) {
            progress.update(rows.size(), modules.size(), module.name);
            const HostTensor expected = module.golden();
            Row row{module.name, {}};
            for (const std::string& numerics : flags.numerics) {
                if (ttnn_cpu::embedded()) {
                    ttnn_cpu::set_numerics(device, numerics_from_string(numerics));
                }
                row.cells.push_back({"functional", numerics, compare(expected.data, module.functional().data)});
                row.cells.push_back({"optimized", numerics, compare(expected.data, module.optimized().data)});
            }
            rows.push_back(std::move(row));
        }
    }
    if (flags.json) {
        print_json(subject, rows);
    } else {
        print_table(subject, rows, flags.numerics.size() > 1);
    }
}

}  // namespace zoo::apps
