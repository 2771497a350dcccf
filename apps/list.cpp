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

}  // namespace zoo::apps
