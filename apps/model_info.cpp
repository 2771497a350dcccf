// SPDX-License-Identifier: Apache-2.0
#include "model_info.hpp"

#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "model_flags.hpp"
#include "table.hpp"

namespace zoo::apps {

void print_info(const ModelInfo& info, bool json) {
    std::int64_t total = 0;
    for (const ModelPart& part : info.parts) {
        total += part.parameters;
    }
    if (json) {
        nlohmann::json result{{"model", info.model}, {"preset", info.preset}, {"parameters", total}};
        for (const auto& [name, value] : info.config) {
            result[name] = value;
        }
        std::cout << result.dump(2) << '\n';
        return;
    }
    std::cout << fmt::format("{}, preset {}: {}\n\n", info.model, info.preset, info.summary);
    using Align = Table::Align;
    Table table({{"part"}, {"parameters", Align::Right}, {"bfloat16", Align::Right}, {"bfloat8_b", Align::Right}});
    const auto add = [&](const std::string& name, std::int64_t parameters) {
        const auto count = static_cast<double>(parameters);
        table.add({name, fmt::format("{}", parameters), bytes(2 * count), bytes(1.0625 * count)});
    };
    for (const ModelPart& part : info.parts) {
        add(part.name, part.parameters);
    }
    add("all", total);
    table.print(std::cout);
    if (!info.note.empty()) {
        std::cout << '\n' << info.note << '\n';
    }
}

void add_info_flags(
    CLI::App& command, std::string_view default_preset, std::span<const std::string_view> presets,
    std::function<ModelInfo(const std::string& preset)> info_of) {
    struct Options {
        std::string preset;
        bool json = false;
    };
    const auto options = std::make_shared<Options>(Options{.preset = std::string(default_preset)});
    add_preset(command, options->preset, presets);
    add_json(command, options->json);
    command.callback([options, info_of = std::move(info_of)] { print_info(info_of(options->preset), options->json); });
}

}  // namespace zoo::apps
