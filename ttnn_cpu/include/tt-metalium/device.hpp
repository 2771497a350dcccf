// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/tt_backend_api_types.hpp>

namespace tt::tt_metal {

class IDevice {
public:
    virtual ~IDevice() = default;

    virtual tt::ARCH arch() const = 0;
    virtual CoreCoord compute_with_storage_grid_size() const = 0;
    virtual std::uint32_t l1_size_per_core() const = 0;
    virtual std::uint64_t dram_size_per_channel() const = 0;
    virtual int num_dram_channels() const = 0;
    virtual int get_clock_rate_mhz() const = 0;
    virtual std::uint8_t num_hw_cqs() const = 0;

    virtual void enable_program_cache() = 0;
    virtual void disable_and_clear_program_cache() = 0;
    virtual void clear_program_cache() = 0;
    virtual void set_program_cache_misses_allowed(bool allowed) = 0;
    virtual std::size_t num_program_cache_entries() = 0;
};

}  // namespace tt::tt_metal
