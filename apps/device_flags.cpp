// SPDX-License-Identifier: Apache-2.0
#include "device_flags.hpp"

#include <CLI/CLI.hpp>
#include <ttnn_cpu/records.hpp>

#include "ttnn/device.hpp"
#include "zoo/error.hpp"

namespace zoo::apps {

void DeviceFlags::add_to(CLI::App& command) {
    add_board_to(command);
    if (ttnn_cpu::embedded()) {
        numerics = ttnn_cpu::default_device_options().numerics == ttnn_cpu::Numerics::Fast ? "fast" : "wormhole";
        command
            .add_option(
                "--numerics", numerics,
                "fast: float32 sums in real formats; wormhole: the card's arithmetic, bit for bit")
            ->check(CLI::IsMember({"fast", "wormhole"}))
            ->capture_default_str();
    }
    add_threads_to(command);
}

void DeviceFlags::add_board_to(CLI::App& command) {
    if (!ttnn_cpu::embedded()) {
        return;
    }
    board = ttnn_cpu::default_device_options().board == ttnn_cpu::Board::N150 ? "n150" : "p150";
    command.add_option("--board", board, "The board that the embedded device is")
        ->check(CLI::IsMember({"n150", "p150"}))
        ->capture_default_str();
}

void DeviceFlags::add_threads_to(CLI::App& command) {
    if (!ttnn_cpu::embedded()) {
        return;
    }
    command.add_option("--threads", threads, "CPU threads; 0 for all. Results do not depend on it")
        ->check(CLI::Range(0, 1024))
        ->capture_default_str();
}

std::string DeviceFlags::name() const { return ttnn_cpu::embedded() ? "an embedded " + board : board; }

std::shared_ptr<ttnn::MeshDevice> DeviceFlags::open(
    std::size_t command_queues, std::size_t trace_region_size, std::size_t l1_small_size) const {
    if (ttnn_cpu::embedded()) {
        ttnn_cpu::set_num_threads(threads);
        ttnn_cpu::set_default_device_options(
            {.board = board == "p150" ? ttnn_cpu::Board::P150 : ttnn_cpu::Board::N150,
             .numerics = numerics_from_string(numerics)});
    }
    std::shared_ptr<ttnn::MeshDevice> device =
        ttnn::open_mesh_device(0, l1_small_size, trace_region_size, command_queues);
    if (record) {
        ttnn_cpu::start_recording(*device);
    }
    return device;
}

ttnn_cpu::Numerics numerics_from_string(const std::string& name) {
    if (name == "fast") {
        return ttnn_cpu::Numerics::Fast;
    }
    if (name == "wormhole") {
        return ttnn_cpu::Numerics::Wormhole;
    }
    fail("numerics", "'", name, "' is not known; it must be fast or wormhole");
}

std::optional<ttnn_cpu::MemoryStatistics> memory_of(const ttnn::MeshDevice& device) {
    return ttnn_cpu::embedded() ? std::optional(ttnn_cpu::memory_statistics(device)) : std::nullopt;
}

}  // namespace zoo::apps
