// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace zoo::apps {

// One function a subcommand, each in a file of its own.
void add_list(CLI::App& app);
void add_models(CLI::App& app);  // run, check, bench and info, one subcommand of theirs a model
void add_conformance(CLI::App& app);
void add_demo(CLI::App& app);

}  // namespace zoo::apps
