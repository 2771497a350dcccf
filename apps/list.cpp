// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "registry.hpp"

namespace zoo::apps {

void add_list(CLI::App& app) {
    CLI::App* command = app.add_subcommand("list", "The models of the zoo, with their presets and tasks");
    const auto json = std::make_shared<bool>(false);
    command->add_flag("--json", *json, "One JSON object instead of text");
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
        std::size_t widest = 0;
        for (const ModelEntry& model : models()) {
            widest = std::max(widest, model.name.size());
        }
        const std::string margin(widest + 2, ' ');
        for (const ModelEntry& model : models()) {
            std::cout << fmt::format("{:<{}}  {}\n", model.name, widest, model.summary);
            std::cout << fmt::format("{}presets: {}\n", margin, fmt::join(model.presets, ", "));
            std::cout << fmt::format("{}tasks:   {}\n", margin, fmt::join(model.tasks, ", "));
        }
        std::cout << "\nA preset's name may stand for its model: tt-zoo info minilm-l6\n";
    });
}

}  // namespace zoo::apps
