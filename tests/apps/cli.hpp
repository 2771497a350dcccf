// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace zoo::testing {

// What std::cout gets while it lives.
class CapturedOutput {
public:
    CapturedOutput() : before_(std::cout.rdbuf(text_.rdbuf())) {}
    ~CapturedOutput() { std::cout.rdbuf(before_); }
    CapturedOutput(const CapturedOutput&) = delete;
    CapturedOutput& operator=(const CapturedOutput&) = delete;

    [[nodiscard]] std::string text() const { return text_.str(); }

private:
    std::ostringstream text_;
    std::streambuf* before_;
};

// Parses arguments, which runs the callbacks, and returns what they print.
inline std::string parse(CLI::App& app, std::vector<std::string> arguments) {
    std::ranges::reverse(arguments);  // as CLI11 wants them
    const CapturedOutput output;
    app.parse(std::move(arguments));
    return output.text();
}

}  // namespace zoo::testing
