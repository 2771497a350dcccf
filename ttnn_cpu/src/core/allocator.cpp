// SPDX-License-Identifier: Apache-2.0
#include "core/allocator.hpp"

#include <algorithm>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"

namespace ttnn_cpu {

BankAllocator::BankAllocator(const Region& region) : region_(region) {
    if (region.bank_size > 0) {
        free_.emplace(region.base, region.bank_size);
    }
}

std::uint64_t BankAllocator::allocate(std::uint64_t bytes_per_bank, std::uint64_t total_bytes) {
    const std::uint64_t size = round_up(std::max<std::uint64_t>(bytes_per_bank, 1), region_.alignment);
    const std::lock_guard lock(mutex_);

    const auto fits = [size](const auto& block) { return block.second >= size; };
    auto block = free_.end();
    if (region_.bottom_up) {
        block = std::find_if(free_.begin(), free_.end(), fits);
    } else {
        const auto from_top = std::find_if(free_.rbegin(), free_.rend(), fits);
        if (from_top != free_.rend()) {
            block = std::prev(from_top.base());
        }
    }
    if (block == free_.end()) {
        std::uint64_t largest = 0;
        for (const auto& [address, length] : free_) {
            largest = std::max(largest, length);
        }
        TT_THROW(
            "Out of Memory: Not enough space to allocate {} B {} buffer across {} banks, where each bank needs to "
            "store "
            "{} B, but bank size is {} B (allocated: {} B, free: {} B, largest free block: {} B)",
            total_bytes, to_string(region_.type), region_.banks, size, region_.bank_size, usage_.allocated,
            region_.bank_size - usage_.allocated, largest);
    }

    const auto [start, length] = *block;
    free_.erase(block);
    const std::uint64_t address = region_.bottom_up ? start : start + length - size;
    if (length > size) {
        free_.emplace(region_.bottom_up ? start + size : start, length - size);
    }
    allocated_.emplace(address, size);
    usage_.allocated += size;
    usage_.peak = std::max(usage_.peak, usage_.allocated);
    return address;
}

void BankAllocator::free(std::uint64_t address) {
    const std::lock_guard lock(mutex_);
    const auto found = allocated_.find(address);
    if (found == allocated_.end()) {
        return;
    }
    std::uint64_t size = found->second;
    usage_.allocated -= size;
    allocated_.erase(found);

    auto next = free_.lower_bound(address);
    if (next != free_.end() && next->first == address + size) {
        size += next->second;
        next = free_.erase(next);
    }
    if (next != free_.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + previous->second == address) {
            previous->second += size;
            return;
        }
    }
    free_.emplace(address, size);
}

std::optional<std::uint64_t> BankAllocator::lowest_allocated_address() const {
    const std::lock_guard lock(mutex_);
    return allocated_.empty() ? std::nullopt : std::optional(allocated_.begin()->first);
}

BankAllocator::Usage BankAllocator::usage() const {
    const std::lock_guard lock(mutex_);
    return usage_;
}

void BankAllocator::reset_peak() {
    const std::lock_guard lock(mutex_);
    usage_.peak = usage_.allocated;
}

}  // namespace ttnn_cpu
