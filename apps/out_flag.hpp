// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli_fwd.hpp"

namespace zoo::apps {

// --out, the directory that reports go to. Refused at once, not after the run, when it is a file or cannot be made or written.
void add_out(CLI::App& command, std::string& out);
// What is wrong with a file that is to be written, or nothing.
[[nodiscard]] std::string file_refusal(const std::string& path);
// --out, one file. Refused at once when it is a directory or its directory is not there or cannot be written.
void add_out_file(CLI::App& command, std::string& out, const std::string& description);

}  // namespace zoo::apps
