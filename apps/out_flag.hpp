// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace zoo::apps {

// --out, the directory that reports go to. Refused at once, not after the run, when it is a file or cannot be made or written.
void add_out(CLI::App& command, std::string& out);

}  // namespace zoo::apps
