// SPDX-License-Identifier: Apache-2.0
#include "out_flag.hpp"

#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

namespace zoo::apps {

namespace {

namespace fs = std::filesystem;

// What is wrong with it, or nothing.
std::string refusal(const std::string& path) {
    std::error_code ignored;
    fs::path nearest = fs::absolute(path, ignored);
    while (!fs::exists(nearest, ignored) && nearest.has_relative_path()) {
        nearest = nearest.parent_path();
    }
    if (!fs::is_directory(nearest, ignored)) {
        return fmt::format("'{}' cannot be made: {} is not a directory", path, nearest.string());
    }
    if (access(nearest.c_str(), W_OK) != 0) {
        return fmt::format("'{}' cannot be written: no permission for {}", path, nearest.string());
    }
    return {};
}

}  // namespace

std::string file_refusal(const std::string& path) {
    std::error_code ignored;
    if (path.empty() || fs::is_directory(path, ignored)) {
        return fmt::format("'{}' is not the name of a file", path);
    }
    const fs::path directory = fs::absolute(path, ignored).parent_path();
    if (!fs::is_directory(directory, ignored)) {
        return fmt::format("'{}' cannot be written: {} is not a directory", path, directory.string());
    }
    if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
        return fmt::format("'{}' is no file that can be replaced", path);
    }
    if (access((fs::exists(path, ignored) ? fs::path(path) : directory).c_str(), W_OK) != 0) {
        return fmt::format("'{}' cannot be written: no permission", path);
    }
    return {};
}

void add_out_file(CLI::App& command, std::string& out, const std::string& description) {
    command.add_option("--out", out, description)->check(file_refusal)->capture_default_str();
}

void add_out(CLI::App& command, std::string& out) {
    command.add_option("--out", out, "The directory that the reports go to; files of the same names are replaced")
        ->check(refusal)
        ->capture_default_str();
}

}  // namespace zoo::apps
