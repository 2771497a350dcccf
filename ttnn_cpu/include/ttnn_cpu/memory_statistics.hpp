// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the memory of an embedded device holds and held.
#include <cstdint>
#include <string>

#include <tt-metalium/mesh_device.hpp>

namespace ttnn_cpu {

// L1 figures are bytes a core, since buffers take the same range on every core; DRAM figures are bytes over all banks.
struct MemoryStatistics {
    std::uint64_t l1_capacity = 0;
    std::uint64_t l1_allocated = 0;
    std::uint64_t l1_allocated_peak = 0;
    std::uint64_t circular_buffers_peak = 0;
    // Buffers and circular buffers of one op together, and the op at which that was highest.
    std::uint64_t l1_peak = 0;
    std::string l1_peak_op;
    std::uint64_t dram_capacity = 0;
    std::uint64_t dram_allocated = 0;
    std::uint64_t dram_allocated_peak = 0;
};

MemoryStatistics memory_statistics(const tt::tt_metal::distributed::MeshDevice& device);
// Sets the peaks to what is in use now.
void reset_memory_peaks(tt::tt_metal::distributed::MeshDevice& device);

}  // namespace ttnn_cpu
