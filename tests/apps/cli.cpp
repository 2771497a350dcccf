// SPDX-License-Identifier: Apache-2.0
#include "cli.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <sstream>

namespace zoo::testing {

namespace {

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

}  // namespace

std::string run_program(const std::function<void(CLI::App& app)>& set_up, std::vector<std::string> arguments) {
    CLI::App app("", "tt-zoo");
    set_up(app);
    std::ranges::reverse(arguments);  // as CLI11 wants them
    const CapturedOutput output;
    try {
        app.parse(std::move(arguments));
    } catch (const CLI::ParseError& error) {
        throw UsageError(error.what());
    }
    return output.text();
}

}  // namespace zoo::testing
