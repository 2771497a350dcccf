// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli_fwd.hpp"

namespace zoo::testing {

// What CLI11 refuses.
struct UsageError : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

// Parses arguments of a program to which `set_up` adds commands and flags, which runs them, and returns what they print.
std::string run_program(const std::function<void(CLI::App& app)>& set_up, std::vector<std::string> arguments);

}  // namespace zoo::testing
