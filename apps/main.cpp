// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>

#include "commands.hpp"

namespace {

// OpenBLAS, which libtorch calls, does not know every virtual CPU and then runs at a fifth of its speed. It reads its core type when
// it is loaded, before main, so the program starts itself once more with the type that the CPU's features say.
void restart_with_blas_core_type(char** argv) {
    if (std::getenv("OPENBLAS_CORETYPE") != nullptr) {
        return;
    }
    const char* type = nullptr;
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl")) {
        type = "SKYLAKEX";
    } else if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        type = "HASWELL";
    }
    if (type != nullptr && setenv("OPENBLAS_CORETYPE", type, 1) == 0) {
        execv("/proc/self/exe", argv);  // on failure the program goes on, slower
    }
}

// What is neither a command nor an option of the program, said before CLI11 finds that a command is missing.
void require_command(const CLI::App& app, const std::vector<std::string>& arguments) {
    if (arguments.empty() || app.get_option_no_throw(arguments.front()) != nullptr) {
        return;
    }
    std::string names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        if (command->get_name() == arguments.front()) {
            return;
        }
        names += (names.empty() ? "" : ", ") + command->get_name();
    }
    throw CLI::ParseError(
        "'" + arguments.front() + "' is no command; it must be one of " + names, CLI::ExitCodes::ExtrasError);
}

// A result that nobody could read is none: a full disk behind standard output is an error as well.
int finish(int status) {
    errno = 0;
    std::cout.flush();
    if (status != 0 || std::cout.good()) {
        return status;
    }
    std::cerr << "tt-zoo: standard output cannot be written"
              << (errno != 0 ? std::string(": ") + std::strerror(errno) : "") << '\n';
    return 1;
}

}  // namespace

int main(int argc, char** argv) {
    restart_with_blas_core_type(argv);
    CLI::App app("Neural networks written by hand against TTNN, on a card or on this computer", "tt-zoo");
    app.set_version_flag("--version", ZOO_VERSION);
    app.require_subcommand(1);
    CLI::App* help = app.add_subcommand("help", "This text; with --all every command and flag");
    bool all = false;
    help->add_flag("--all", all, "Every command and flag");
    try {
        zoo::apps::add_list(app);
        zoo::apps::add_models(app);
        zoo::apps::add_metrics(app);
        zoo::apps::add_conformance(app);
        zoo::apps::add_demo(app);
        std::vector<std::string> arguments = zoo::apps::expand_preset({argv + 1, argv + argc});
        require_command(app, arguments);
        std::ranges::reverse(arguments);  // as CLI11 wants them
        app.parse(arguments);
        if (help->parsed()) {
            zoo::apps::print_help(app, "tt-zoo", all);
        }
        return finish(0);
    } catch (const CLI::Success& success) {
        return finish(app.exit(success));
    } catch (const CLI::ParseError& error) {
        std::cerr << "tt-zoo: " << error.what() << "\nSee tt-zoo help --all.\n";
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "tt-zoo: " << error.what() << '\n';
        return 1;
    }
}
