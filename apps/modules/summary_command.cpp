// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "aten/traced.hpp"
#include "modules/commands.hpp"
#include "modules/modules.hpp"
#include "table.hpp"

namespace zoo::apps {

namespace modules {

namespace {

struct SummaryOptions {
    int depth = 0;  // 0: no limit
    bool all = false;
    bool json = false;
};

std::string with_commas(std::int64_t value) {
    std::string text = std::to_string(value);
    for (auto at = std::ssize(text) - 3; at > 0; at -= 3) {
        text.insert(static_cast<std::size_t>(at), ",");
    }
    return text;
}

// "1.2 G"
std::string with_unit(double value) {
    for (const auto& [size, unit] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}) {
        if (value >= size) {
            return fmt::format("{:.2f} {}", value / size, unit);
        }
    }
    return value > 0 ? fmt::format("{:.0f}", value) : "";
}

std::string shape_text(const std::vector<std::int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

// What a module's path adds to its parent's.
std::string own_path(const std::string& path, const std::string& parent) {
    if (path == parent) {
        return "";
    }
    return !parent.empty() && path.starts_with(parent + ".") ? path.substr(parent.size() + 1) : path;
}

class SummaryTable {
public:
    SummaryTable(const Network& network, const SummaryOptions& options)
        : network_(network),
          options_(options),
          table_(
              {{"module"},
               {"size"},
               {"output"},
               {"parameters", Table::Align::Right},
               {"multiply-adds", Table::Align::Right},
               {"aten ops"}}) {}

    void print(std::ostream& out) {
        add(network_.root, "", "", "", 0);
        table_.print(out);
    }

private:
    void add(
        const Module& module, const std::string& first, const std::string& rest, const std::string& parent, int level) {
        std::string name = own_path(module.path, parent);
        name = name == module.kind ? "" : name;
        table_.add(
            {first + module.kind + (name.empty() ? "" : " " + name), module.detail, shape_text(module.output),
             module.parameters > 0 ? with_commas(module.parameters)
             : module.shared       ? "shared"
                                   : "",
             with_unit(module.multiply_adds), describe_ops(network_, module.ops)});
        if (options_.depth > 0 && level == options_.depth) {
            return;
        }
        for (std::size_t i = 0; i < module.children.size();) {
            const Module& child = module.children[i];
            std::size_t end = i + 1;
            while (!options_.all && !child.children.empty() && end < module.children.size() &&
                   alike(network_, child, module.children[end])) {
                ++end;
            }
            const bool last = end == module.children.size();
            add(child, rest + (last && end == i + 1 ? "└─ " : "├─ "), rest + (last && end == i + 1 ? "   " : "│  "),
                module.path, level + 1);
            if (end > i + 1) {
                add_repeats(module, i + 1, end, rest + (last ? "└─ " : "├─ "));
            }
            i = end;
        }
    }

    void add_repeats(const Module& module, std::size_t begin, std::size_t end, const std::string& branch) {
        std::int64_t parameters = 0;
        for (std::size_t i = begin; i < end; ++i) {
            parameters += module.children[i].parameters;
        }
        const Module& first = module.children[begin];
        const Module& last = module.children[end - 1];
        std::string names;
        if (first.path != module.path) {
            names = own_path(first.path, module.path);
            names += first.path == last.path ? "" : " to " + own_path(last.path, module.path);
        }
        table_.add_note(
            branch + fmt::format("{} more {}", end - begin, first.kind),
            fmt::format(
                "as the one above{}{}: {}", names.empty() ? "" : ", ", names,
                parameters > 0 ? with_commas(parameters) + " parameters" : "the same parameters"));
    }

    const Network& network_;
    SummaryOptions options_;
    Table table_;
};

nlohmann::json summary_json(const Network& network, const Module& module) {
    nlohmann::json children = nlohmann::json::array();
    for (const Module& child : module.children) {
        children.push_back(summary_json(network, child));
    }
    nlohmann::json ops = nlohmann::json::array();
    for (const std::size_t op : module.ops) {
        ops.push_back(network.trace.ops[op].type);
    }
    return {
        {"kind", module.kind},
        {"path", module.path},
        {"size", module.detail},
        {"output", module.output},
        {"parameters", module.parameters},
        {"shared", module.shared},
        {"multiply_adds", module.multiply_adds},
        {"ops", ops},
        {"modules", children}};
}

void print_model_summary(const Bench& bench, const SummaryOptions& options) {
    const Network network = network_of(aten::trace_forward("summary", bench), bench.parameters, bench.subject.model);
    if (options.json) {
        nlohmann::json json = summary_json(network, network.root);
        json["model"] = bench.subject.model;
        json["preset"] = bench.subject.preset;
        json["unused_parameters"] = network.unused_parameters;
        std::cout << json.dump(2) << '\n';
        return;
    }
    std::cout << fmt::format("{} {}, {}\n\n", bench.subject.model, bench.subject.preset, bench.subject.size);
    SummaryTable(network, options).print(std::cout);
    std::set<std::string> types;
    for (const aten::Op& op : network.trace.ops) {
        types.insert(op.type);
    }
    const auto count = static_cast<double>(network.root.parameters);
    std::cout << fmt::format(
        "\n{} parameters: {} in float32, {} in bfloat16, {} in bfloat8_b. {} multiply-adds. {} aten ops, {} unique.\n",
        with_commas(network.root.parameters), bytes(4 * count), bytes(2 * count), bytes(1.0625 * count),
        with_unit(network.root.multiply_adds), network.trace.ops.size(), types.size());
    if (network.unused_parameters > 0) {
        std::cout << fmt::format("{} more are there for other tasks.\n", with_commas(network.unused_parameters));
    }
}

}  // namespace

}  // namespace modules

void add_summary(const ModelEntry& model, CLI::App& command) {
    const auto options = std::make_shared<modules::SummaryOptions>();
    command.add_option("--depth", options->depth, "Levels of modules to show; 0 for all")
        ->check(CLI::Range(0, 100))
        ->capture_default_str();
    command.add_flag("--all", options->all, "Also modules that are like the one before");
    add_json(command, options->json);
    model.add_bench(
        command, {.host = [options](const Bench& bench) { modules::print_model_summary(bench, *options); }});
}

}  // namespace zoo::apps
