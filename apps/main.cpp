// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
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

}  // namespace

int main(int argc, char** argv) {
    restart_with_blas_core_type(argv);
    CLI::App app("Neural networks written by hand against TTNN, on a card or on this computer", "tt-zoo");
    app.set_version_flag("--version", ZOO_VERSION);
    app.require_subcommand(1);
    CLI::App* help = app.add_subcommand("help", "This text; with --all every command and flag");
    bool all = false;
    help->add_flag("--all", all, "Every command and flag");
    zoo::apps::add_list(app);
    zoo::apps::add_models(app);
    zoo::apps::add_metrics(app);
    zoo::apps::add_conformance(app);
    zoo::apps::add_demo(app);
    try {
        std::vector<std::string> arguments = zoo::apps::expand_preset({argv + 1, argv + argc});
        std::ranges::reverse(arguments);  // as CLI11 wants them
        app.parse(arguments);
        if (help->parsed()) {
            zoo::apps::print_help(app, "tt-zoo", all);
        }
        return 0;
    } catch (const CLI::Success& success) {
        return app.exit(success);
    } catch (const CLI::ParseError& error) {
        std::cerr << "tt-zoo: " << error.what() << "\nSee tt-zoo help --all.\n";
        return 2;
    } catch (const std::exception& error) {
        std::cerr << "tt-zoo: " << error.what() << '\n';
        return 1;
    }
}
