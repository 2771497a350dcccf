// SPDX-License-Identifier: Apache-2.0
#pragma once

// The boards that the embedded device can be.
#include <cstdint>
#include <string_view>

#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>
#include <ttnn_cpu/device_options.hpp>

namespace ttnn_cpu {

struct BoardSpec {
    std::string_view name;
    tt::ARCH arch;
    tt::tt_metal::CoreCoord grid;  // cores that compute and store
    std::uint32_t l1_size;         // bytes a core
    std::uint32_t l1_reserved;     // of them, at the bottom
    std::uint32_t dram_banks;
    std::uint64_t dram_bank_size;
    std::uint64_t dram_reserved;   // of a bank, at the bottom
    std::uint32_t dram_alignment;  // also the granularity of L1 allocations
    std::uint32_t l1_alignment;
    int clock_mhz;
};

const BoardSpec& board_spec(Board board);

}  // namespace ttnn_cpu
