// SPDX-License-Identifier: Apache-2.0
#include "same_command.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <vector>

#include <nlohmann/json.hpp>

#include "zoo/error.hpp"

namespace zoo::apps {

namespace {

// Of this process, without the program's name.
std::vector<std::string> own_arguments() {
    std::ifstream file("/proc/self/cmdline", std::ios::binary);
    std::vector<std::string> arguments;
    for (std::string argument; std::getline(file, argument, '\0');) {
        arguments.push_back(argument);
    }
    if (!arguments.empty()) {
        arguments.erase(arguments.begin());
    }
    return arguments;
}

std::vector<std::string> with_flags(
    const std::vector<std::string>& given, const std::map<std::string, std::string>& flags) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < given.size(); ++i) {
        const std::string name = given[i].substr(0, given[i].find('='));
        if (!flags.contains(name)) {
            result.push_back(given[i]);
        } else if (name == given[i]) {
            ++i;  // its value
        }
    }
    std::erase(result, "--json");
    for (const auto& [name, value] : flags) {
        if (!value.empty()) {
            result.push_back(name);
            result.push_back(value);
        }
    }
    result.emplace_back("--json");
    return result;
}

[[noreturn]] void become(const std::vector<std::string>& arguments, int output) {
    std::string program = "/proc/self/exe";
    std::vector<std::string> texts = arguments;
    std::vector<char*> pointers{program.data()};
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    dup2(output, STDOUT_FILENO);
    execv(program.c_str(), pointers.data());
    _exit(127);
}

}  // namespace

nlohmann::json run_same_command(const std::map<std::string, std::string>& flags) {
    const std::vector<std::string> arguments = with_flags(own_arguments(), flags);
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) {
        fail("bench", "no pipe for a second process");
    }
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        become(arguments, ends[1]);
    }
    close(ends[1]);
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(ends[0], buffer.data(), buffer.size())) > 0;) {
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    close(ends[0]);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
        fail("bench", "the same command in a second process failed with status ", status);
    }
    return nlohmann::json::parse(text);
}

}  // namespace zoo::apps
