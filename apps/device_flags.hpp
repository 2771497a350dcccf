// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/memory_statistics.hpp>

#include "cli_fwd.hpp"
#include "ttnn/types.hpp"

namespace zoo::apps {

// Flags that every command with a device has. They are switches of the embedded device: a program that is built for an installed
// tt-metal has none of them, and opens the device that is there.
struct DeviceFlags {
    std::string board = ttnn_cpu::embedded() ? "n150" : "tt-metal's device";
    std::string numerics = ttnn_cpu::embedded() ? "fast" : "its own";
    std::size_t threads = 0;  // 0: all
    bool record = false;      // not a flag: start recording at once

    void add_to(CLI::App& command);
    void add_board_to(CLI::App& command);
    void add_threads_to(CLI::App& command);
    [[nodiscard]] std::string name() const;  // "an embedded n150"
    // Opens the device as the flags say. Close it by letting go of it.
    std::shared_ptr<ttnn::MeshDevice> open(
        std::size_t command_queues = 1, std::size_t trace_region_size = 0, std::size_t l1_small_size = 0) const;
};

// "fast" or "wormhole"; Error for anything else.
ttnn_cpu::Numerics numerics_from_string(const std::string& name);

// Nothing for a device that keeps none.
std::optional<ttnn_cpu::MemoryStatistics> memory_of(const ttnn::MeshDevice& device);

}  // namespace zoo::apps
