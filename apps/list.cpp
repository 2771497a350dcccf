// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "registry.hpp"
#include "table.hpp"

namespace zoo::apps {

void add_list(CLI::App& app) {
    CLI::App* command = app.add_subcommand("list", "The models of the zoo, with their presets and tasks");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON object instead of a table");
    command->callback([json] {
        if (*json) {
            nlohmann::json result = nlohmann::json::array();
            for (const ModelEntry& model : models()) {
                result.push_back(
                    {{"name", model.name},
                     {"summary", model.summary},
                     {"presets", model.presets},
                     {"tasks", model.tasks}});
            }
            std::cout << nlohmann::json{{"models", result}}.dump(2) << '\n';
            return;
        }
        Table table({{"model"}, {"presets"}, {"tasks"}, {"what it is"}});
        for (const ModelEntry& model : models()) {
            table.add(
                {std::string(model.name), fmt::format("{}", fmt::join(model.presets, ", ")),
                 fmt::format("{}", fmt::join(model.tasks, ", ")), std::string(model.summary)});
        }
        table.print(std::cout);
    });
}

void add_models(CLI::App& app) {
    struct Verb {
        const char* name;
        const char* summary;
        std::function<void(CLI::App&)> ModelEntry::*add;
    };
    for (const Verb& verb :
         {Verb{"run", "Run a model on an input", &ModelEntry::add_run},
          Verb{"check", "PCC of every module against the libtorch golden", &ModelEntry::add_check},
          Verb{"bench", "Latency of a model, beside libtorch's if asked", &ModelEntry::add_bench},
          Verb{"info", "What a preset is: sizes, parameters, memory", &ModelEntry::add_info}}) {
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
                std::vector<std::string_view> known;
                for (const ModelEntry& model : models()) {
                    known.push_back(model.name);
                }
                throw CLI::ValidationError(
                    command->get_name(),
                    given.empty()
                        ? fmt::format("a model is missing; the models are: {}", fmt::join(known, ", "))
                        : fmt::format(
                              "model '{}' is not known; the models are: {}", given.front(), fmt::join(known, ", ")));
            }
        });
        for (const ModelEntry& model : models()) {
            CLI::App* subcommand = command->add_subcommand(std::string(model.name), std::string(model.summary));
            (model.*verb.add)(*subcommand);
        }
        command->allow_extras();  // last, since subcommands inherit it
    }
}

}  // namespace zoo::apps
