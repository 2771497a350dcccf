// SPDX-License-Identifier: Apache-2.0
// What the switches of the embedded device do where there is none. A device of tt-metal has one board and one arithmetic, its
// own: asking for less than that is nothing to do, asking for a record or a figure that it does not keep is refused.
#include <string>
#include <thread>

#include <ttnn_cpu/call_script.hpp>
#include <ttnn_cpu/device_options.hpp>
#include <ttnn_cpu/execution.hpp>
#include <ttnn_cpu/memory_statistics.hpp>
#include <ttnn_cpu/records.hpp>

namespace ttnn_cpu {

namespace {

using tt::tt_metal::distributed::MeshDevice;

[[noreturn]] void refuse(const std::string& what) {
    throw NotEmbedded(what + " needs the embedded device; this program is built for an installed tt-metal");
}

}  // namespace

bool embedded() { return false; }

void set_default_device_options(const DeviceOptions& options) {
    if (options.board != Board::N150) {
        refuse("Choosing a board");
    }
}

DeviceOptions default_device_options() { return {.board = Board::N150, .numerics = Numerics::Wormhole}; }

Numerics numerics(const MeshDevice& /*device*/) { return Numerics::Wormhole; }
void set_numerics(MeshDevice& /*device*/, Numerics /*numerics*/) {}

void set_num_threads(std::size_t /*threads*/) {}
std::size_t num_threads() { return std::thread::hardware_concurrency(); }

MemoryStatistics memory_statistics(const MeshDevice& /*device*/) { refuse("Memory statistics"); }
void reset_memory_peaks(MeshDevice& /*device*/) { refuse("Memory statistics"); }

void open_next_without_computing() { refuse("A device that does not compute"); }
bool computes(const MeshDevice& /*device*/) { return true; }
std::vector<CommandRecord> take_commands(MeshDevice& /*device*/) { refuse("A recording"); }

void start_recording(MeshDevice& /*device*/) { refuse("A recording"); }
Recording stop_recording(MeshDevice& /*device*/) { refuse("A recording"); }
void start_script(MeshDevice& /*device*/) { refuse("A recording"); }
CallScript stop_script(MeshDevice& /*device*/) { refuse("A recording"); }
std::string to_json(const CallScript& /*script*/) { refuse("A recording"); }

}  // namespace ttnn_cpu
