// SPDX-License-Identifier: Apache-2.0
#include "profile/run.hpp"

#include <numeric>

#include <ttnn_cpu/memory_statistics.hpp>

namespace zoo::apps::profile {

namespace {

// What firmware and kernels take at the bottom of L1 (docs/embedded_provider.md).
constexpr std::uint64_t kWormholeL1Base = 105664;
constexpr std::uint64_t kBlackholeL1Base = 111488;

}  // namespace

std::string_view to_string(Clock clock) { return clock == Clock::Cpu ? "cpu" : "card"; }

std::string_view describe(Clock clock) {
    return clock == Clock::Cpu ? "measured on this CPU" : "modelled for the card";
}

Card card_of(const ttnn::MeshDevice& device, const std::string& board) {
    const auto grid = device.compute_with_storage_grid_size();
    const ttnn_cpu::MemoryStatistics memory = ttnn_cpu::memory_statistics(device);
    Card card;
    card.board = board;
    card.arch = device.arch() == tt::ARCH::BLACKHOLE ? "blackhole" : "wormhole_b0";
    card.grid_x = static_cast<std::uint32_t>(grid.x);
    card.grid_y = static_cast<std::uint32_t>(grid.y);
    card.l1_bytes = device.l1_size_per_core();
    card.l1_usable = memory.l1_capacity;
    card.l1_base = card.arch == "blackhole" ? kBlackholeL1Base : kWormholeL1Base;
    card.dram_banks = static_cast<std::uint32_t>(device.num_dram_channels());
    card.ghz = device.get_clock_rate_mhz() / 1000.0;
    return card;
}

std::uint64_t total_ns(const std::vector<Span>& spans) {
    return std::accumulate(spans.begin(), spans.end(), std::uint64_t{0}, [](std::uint64_t sum, const Span& span) {
        return sum + span.duration_ns;
    });
}

}  // namespace zoo::apps::profile
