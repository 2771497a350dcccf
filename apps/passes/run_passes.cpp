// SPDX-License-Identifier: Apache-2.0
// Runs the passes of every model on whatever device TTNN opens: a card, a simulator or the real library's mock device.
//
//     run_passes [TEXT]   only passes whose model or name holds TEXT
#include <exception>
#include <iostream>
#include <string_view>

#include "passes/passes.hpp"
#include "ttnn/device.hpp"

int main(int argc, char** argv) {
    const std::string_view wanted = argc > 1 ? argv[1] : "";
    int failed = 0;
    int ran = 0;
    for (const zoo::apps::ModelPass& pass : zoo::apps::passes()) {
        const std::string name = std::string(pass.model) + ": " + pass.name;
        if (name.find(wanted) == std::string::npos) {
            continue;
        }
        ++ran;
        try {
            const auto device = ttnn::open_mesh_device(0, pass.l1_small_size);
            pass.run(*device);
            ttnn::close_device(*device);
            std::cout << name << ": done" << std::endl;
        } catch (const std::exception& error) {
            ++failed;
            std::cout << name << ": " << error.what() << std::endl;
        }
    }
    std::cout << ran - failed << " of " << ran << " passes ran to the end\n";
    return failed == 0 && ran > 0 ? 0 : 1;
}
