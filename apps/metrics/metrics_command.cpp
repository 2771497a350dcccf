// SPDX-License-Identifier: Apache-2.0
// `tt-zoo metrics`: every preset of every model, and the tables of docs/metrics.md.
#include <algorithm>
#include <fstream>
#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "golden.hpp"
#include "metrics/pages.hpp"
#include "out_flag.hpp"
#include "progress.hpp"
#include "registry.hpp"
#include "zoo/error.hpp"
#include "zoo/write_file.hpp"

namespace zoo::apps {

namespace metrics {

namespace {

namespace fs = std::filesystem;

std::string file_text(const fs::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

std::vector<const ModelEntry*> chosen_models(const std::vector<std::string>& names) {
    std::vector<const ModelEntry*> chosen;
    for (const ModelEntry& model : models()) {
        if (names.empty() || std::ranges::find(names, model.name) != names.end()) {
            chosen.push_back(&model);
        }
    }
    return chosen;
}

// Refused before anything runs.
std::string unknown_model(const std::string& name) {
    if (std::ranges::find(models(), name, &ModelEntry::name) != models().end()) {
        return {};
    }
    std::vector<std::string_view> known;
    for (const ModelEntry& model : models()) {
        known.push_back(model.name);
    }
    return fmt::format("model '{}' is not known; the models are: {}", name, fmt::join(known, ", "));
}

void write_metrics(const std::vector<std::string>& names, const fs::path& out) {
    require_golden("metrics");
    const std::vector<const ModelEntry*> chosen = chosen_models(names);
    std::size_t total = 0;
    for (const ModelEntry* model : chosen) {
        total += model->presets.size();
    }
    std::error_code problem;
    fs::create_directories(out / "metrics", problem);
    if (problem) {
        fail("metrics", "cannot make the directory ", (out / "metrics").string(), ": ", problem.message());
    }
    // Rows of models that are not asked for stay.
    std::map<std::string, std::vector<std::string>> rows = rows_of_overview(file_text(out / "metrics.md"));
    std::erase_if(rows, [](const auto& row) { return !unknown_model(row.first).empty(); });
    std::size_t done = 0;
    Progress progress("metrics");
    for (const ModelEntry* model : chosen) {
        const std::string name(model->name);
        std::vector<Metrics> presets;
        rows[name].clear();
        for (const std::string_view preset : model->presets) {
            progress.update(done++, total, std::string(preset));
            presets.push_back(collect(*model, std::string(preset)));
            rows[name].push_back(table_row(presets.back()));
            std::cout << rows[name].back() << (presets.back().failure.empty() ? "" : "\n  " + presets.back().failure)
                      << std::endl;
        }
        write_file(out / "metrics" / (name + ".md"), model_page(name, presets));
        write_file(out / "metrics.md", overview_page(rows));
    }
    std::cout << fmt::format("Written to {} and {}\n", (out / "metrics.md").string(), (out / "metrics").string());
}

}  // namespace

}  // namespace metrics

void add_metrics(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("metrics", "Ops, run times, accuracy and memory of every model and preset, as tables");
    struct Options {
        std::vector<std::string> models;
        std::string out = "docs";
    };
    const auto options = std::make_shared<Options>();
    command->add_option("MODEL", options->models, "Models; all without a name")->check(metrics::unknown_model);
    add_out(*command, options->out);
    command->callback([options] { metrics::write_metrics(options->models, options->out); });
}

}  // namespace zoo::apps
