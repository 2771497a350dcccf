// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "commands.hpp"
#include "registry.hpp"

namespace zoo::apps {

namespace {

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

// CLI11's own help() of a program shows the command that was given, here "help"; this shows the one asked for.
std::string help_of(const CLI::App& app, const std::string& name) {
    return app.get_formatter()->make_help(&app, name, CLI::AppFormatMode::Normal);
}

// Each flag as its help has it, the positional ones first.
std::vector<std::string> flags_of(const CLI::App& app) {
    const auto* formatter = dynamic_cast<const CLI::Formatter*>(app.get_formatter().get());
    std::vector<std::string> positional;
    std::vector<std::string> named;
    for (const CLI::Option* option : app.get_options()) {
        if (option == app.get_help_ptr() || formatter == nullptr) {
            continue;
        }
        if (option->get_positional() && !option->nonpositional()) {
            positional.push_back(formatter->make_option(option, true));
        } else {
            named.push_back(formatter->make_option(option, false));
        }
    }
    positional.insert(positional.end(), named.begin(), named.end());
    return positional;
}

// A command that every model has: flags that all of them take stand once, then what each takes besides.
void print_model_command(const CLI::App& command, const std::string& name) {
    std::cout << fmt::format("{}\nUsage: {} MODEL [OPTIONS]\n", command.get_description(), name);
    const std::vector<const CLI::App*> all = subcommands_of(command);
    std::vector<std::string> shared = flags_of(*all.front());
    for (const CLI::App* model : all) {
        const std::vector<std::string> own = flags_of(*model);
        std::erase_if(shared, [&](const std::string& flag) { return std::ranges::find(own, flag) == own.end(); });
    }
    std::cout << "\nFor every model:\n";
    for (const std::string& flag : shared) {
        std::cout << flag;
    }
    for (const CLI::App* model : all) {
        std::cout << fmt::format("\n{} {}: {}\n", name, model->get_name(), model->get_description());
        for (const std::string& flag : flags_of(*model)) {
            if (std::ranges::find(shared, flag) == shared.end()) {
                std::cout << flag;
            }
        }
    }
    std::cout << '\n';
}

bool is_model_command(const CLI::App& app) {
    const std::vector<const CLI::App*> all = subcommands_of(app);
    return !all.empty() && std::ranges::all_of(all, [](const CLI::App* command) {
        return std::ranges::find(models(), command->get_name(), &ModelEntry::name) != models().end();
    });
}

void print_all(const CLI::App& app, const std::string& name) {
    if (is_model_command(app)) {
        print_model_command(app, name);
        return;
    }
    std::cout << help_of(app, name) << '\n';
    for (const CLI::App* command : subcommands_of(app)) {
        print_all(*command, name + " " + command->get_name());
    }
}

}  // namespace

void print_help(const CLI::App& app, const std::string& name, bool all) {
    if (all) {
        print_all(app, name);
    } else {
        std::cout << help_of(app, name);
    }
}

}  // namespace zoo::apps
