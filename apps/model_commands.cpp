// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "aten/aten_command.hpp"
#include "commands.hpp"
#include "model_bench.hpp"
#include "modules/commands.hpp"
#include "profile/calibration.hpp"
#include "profile/profile.hpp"
#include "registry.hpp"

namespace zoo::apps {

namespace {

struct Verb {
    const char* name;
    const char* summary;
    std::function<void(const ModelEntry&, CLI::App&)> add;
    // What the verb does without a model.
    void (*add_more)(CLI::App& command) = nullptr;
};

const std::array<Verb, 8>& verbs() {
    static const std::array<Verb, 8> all{
        {{"run", "Run a model on an input", [](const ModelEntry& model, CLI::App& command) { model.add_run(command); }},
         {"check", "PCC of every module against the libtorch golden",
          [](const ModelEntry& model, CLI::App& command) { model.add_check(command); }},
         {"bench", "Latency of a model, beside libtorch's if asked",
          [](const ModelEntry& model, CLI::App& command) { model.add_bench(command, timing()); }},
         {"profile", "Reports of a run: performance sheet, memory report, timeline, and what to look at", add_profile,
          add_calibration},
         {"trace", "The aten ops of the libtorch golden, with shapes and arguments", add_trace},
         {"summary", "The modules of a model: shapes, parameters, ops", add_summary},
         {"graph", "A drawing of a model's modules, as SVG", add_graph},
         {"info", "What a preset is: sizes, parameters, memory",
          [](const ModelEntry& model, CLI::App& command) { model.add_info(command); }}}};
    return all;
}

std::string known_models() {
    std::vector<std::string_view> names;
    for (const ModelEntry& model : models()) {
        names.push_back(model.name);
    }
    return fmt::format("the models are: {}, and their presets (tt-zoo list)", fmt::join(names, ", "));
}

}  // namespace

void add_models(CLI::App& app) {
    for (const Verb& verb : verbs()) {
        CLI::App* command = app.add_subcommand(verb.name, verb.summary);
        // Our own check in place of CLI11's, which would not name the model that it does not know.
        command->require_subcommand(0, 1);
        command->parse_complete_callback([command] {
            const std::vector<std::string> given = command->remaining();
            if (!command->get_subcommands().empty() && !given.empty()) {
                throw CLI::ValidationError(
                    command->get_name(), "'" + given.front() + "' is not expected before the model");
            }
            if (command->get_subcommands().empty()) {
                throw CLI::ValidationError(
                    command->get_name(), given.empty()
                                             ? "a model is missing; " + known_models()
                                             : "model '" + given.front() + "' is not known; " + known_models());
            }
        });
        for (const ModelEntry& model : models()) {
            CLI::App* subcommand = command->add_subcommand(std::string(model.name), std::string(model.summary));
            verb.add(model, *subcommand);
        }
        if (verb.add_more != nullptr) {
            verb.add_more(*command);
        }
        command->allow_extras();  // last, since subcommands inherit it
    }
}

std::vector<std::string> expand_preset(std::vector<std::string> arguments) {
    const auto is_verb = [&](const Verb& verb) { return arguments[0] == verb.name; };
    if (arguments.size() < 2 || std::ranges::none_of(verbs(), is_verb)) {
        return arguments;
    }
    const std::string name = arguments[1];
    if (std::ranges::find(models(), name, &ModelEntry::name) != models().end()) {
        return arguments;
    }
    for (const ModelEntry& model : models()) {
        if (std::ranges::find(model.presets, name) == model.presets.end()) {
            continue;
        }
        for (const std::string& argument : arguments) {
            if (argument == "--preset" || argument.starts_with("--preset=")) {
                throw CLI::ValidationError(
                    arguments[0],
                    fmt::format(
                        "{} is a preset of {} already; give that name or --preset, not both", name, model.name));
            }
        }
        arguments[1] = model.name;
        arguments.insert(arguments.begin() + 2, {"--preset", name});
        return arguments;
    }
    return arguments;
}

}  // namespace zoo::apps
