// SPDX-License-Identifier: Apache-2.0
#include "progress.hpp"

#include <unistd.h>

#include <iostream>

#include <fmt/format.h>

namespace zoo::apps {

Progress::Progress(std::string what) : what_(std::move(what)), terminal_(isatty(STDERR_FILENO) != 0) {}

Progress::~Progress() {
    if (shown_) {
        std::cerr << "\r\033[K" << std::flush;
    }
}

void Progress::update(std::size_t done, std::size_t total, const std::string& current) {
    say(fmt::format("{}/{} {}", done, total, current));
}

void Progress::say(const std::string& current) {
    if (terminal_) {
        std::cerr << fmt::format("\r\033[K{} {}", what_, current) << std::flush;
        shown_ = true;
    }
}

}  // namespace zoo::apps
