// SPDX-License-Identifier: Apache-2.0
#pragma once

// Addresses for one kind of memory, by the rules of TTNN's allocator: every buffer takes the same range on every bank; the
// free block that is lowest (bottom-up) or highest (top-down) and large enough is used.
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include <tt-metalium/buffer_types.hpp>

namespace ttnn_cpu {

class BankAllocator {
public:
    struct Region {
        tt::tt_metal::BufferType type;
        std::uint64_t base;       // first address
        std::uint64_t bank_size;  // bytes of each bank
        std::uint32_t banks;
        std::uint32_t alignment;
        bool bottom_up;
    };

    struct Usage {
        std::uint64_t allocated = 0;
        std::uint64_t peak = 0;
    };

    explicit BankAllocator(const Region& region);

    // Throws the out-of-memory message of TTNN. `total_bytes` is what the message says was asked for over all banks.
    std::uint64_t allocate(std::uint64_t bytes_per_bank, std::uint64_t total_bytes);
    void free(std::uint64_t address);

    std::optional<std::uint64_t> lowest_allocated_address() const;
    Usage usage() const;  // bytes of a bank
    void reset_peak();
    const Region& region() const { return region_; }

private:
    const Region region_;
    mutable std::mutex mutex_;
    std::map<std::uint64_t, std::uint64_t> free_;       // address -> size
    std::map<std::uint64_t, std::uint64_t> allocated_;  // address -> size
    Usage usage_;
};

}  // namespace ttnn_cpu
