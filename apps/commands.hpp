// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli_fwd.hpp"

namespace zoo::apps {

// One function a subcommand, each in a file of its own.
void add_list(CLI::App& app);
void add_models(CLI::App& app);  // run, check, bench and info, one subcommand of theirs a model
// A preset's name stands for its model with that preset: "run minilm-l6 ..." is "run bert --preset minilm-l6 ...". A name that is a
// model's and a preset's is the model's. Throws a CLI::ValidationError when --preset is given as well.
std::vector<std::string> expand_preset(std::vector<std::string> arguments);
void add_conformance(CLI::App& app);
void add_refusals(CLI::App& conformance);
void add_replay(CLI::App& conformance);
void add_metrics(CLI::App& app);
void add_demo(CLI::App& app);
void add_demo_language(CLI::App& demo);

// The help of the program; with `all` that of every command and model.
void print_help(const CLI::App& app, const std::string& name, bool all);

}  // namespace zoo::apps
