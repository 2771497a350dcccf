// SPDX-License-Identifier: Apache-2.0
#include "core/board.hpp"

namespace ttnn_cpu {

namespace {

constexpr std::uint64_t kGiB = 1ull << 30;
constexpr std::uint64_t kMiB = 1ull << 20;

// 8x9 cores, the last row taken by dispatch.
constexpr BoardSpec kN150{
    .name = "n150",
    .arch = tt::ARCH::WORMHOLE_B0,
    .grid = {8, 8},
    .l1_size = 1499136,
    .l1_reserved = 105664,
    .dram_banks = 12,
    .dram_bank_size = kGiB,
    .dram_reserved = kMiB,
    .dram_alignment = 32,
    .l1_alignment = 16,
    .clock_mhz = 1000,
};

// 13x10 cores less two harvested columns, as the mock of the real library opens it.
constexpr BoardSpec kP150{
    .name = "p150",
    .arch = tt::ARCH::BLACKHOLE,
    .grid = {11, 10},
    .l1_size = 1572864,
    .l1_reserved = 111488,
    .dram_banks = 8,
    .dram_bank_size = 4278190080,
    .dram_reserved = kMiB,
    .dram_alignment = 64,
    .l1_alignment = 16,
    .clock_mhz = 1350,
};

}  // namespace

const BoardSpec& board_spec(Board board) { return board == Board::N150 ? kN150 : kP150; }

}  // namespace ttnn_cpu
