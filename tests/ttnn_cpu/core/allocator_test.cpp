// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <random>

#include "core/allocator.hpp"
#include "support/throws.hpp"

namespace {

using tt::tt_metal::BufferType;
using ttnn_cpu::BankAllocator;

BankAllocator::Region region(bool bottom_up) {
    return {
        .type = BufferType::L1, .base = 1000, .bank_size = 1024, .banks = 64, .alignment = 32, .bottom_up = bottom_up};
}

TEST(Allocator, GrowsDownFromTheTop) {
    BankAllocator allocator(region(false));
    EXPECT_EQ(allocator.allocate(100, 0), 1000u + 1024 - 128);
    EXPECT_EQ(allocator.allocate(32, 0), 1000u + 1024 - 160);
    EXPECT_EQ(allocator.lowest_allocated_address(), 1000u + 1024 - 160);
}

TEST(Allocator, GrowsUpFromTheBottom) {
    BankAllocator allocator(region(true));
    EXPECT_EQ(allocator.allocate(100, 0), 1000u);
    EXPECT_EQ(allocator.allocate(1, 0), 1128u);
}

TEST(Allocator, TakesTheBestPlacedHoleThatFits) {
    BankAllocator allocator(region(true));
    const auto first = allocator.allocate(64, 0);
    const auto second = allocator.allocate(256, 0);
    const auto third = allocator.allocate(64, 0);
    allocator.allocate(64, 0);
    allocator.free(first);
    allocator.free(third);
    EXPECT_EQ(allocator.allocate(64, 0), first);
    allocator.free(second);
    // The hole is now second and third together.
    EXPECT_EQ(allocator.allocate(320, 0), second);
}

TEST(Allocator, SaysWhyThereIsNoRoom) {
    BankAllocator allocator(region(false));
    const auto first = allocator.allocate(512, 0);
    allocator.allocate(256, 0);
    allocator.free(first);
    EXPECT_THROWS_WITH(
        allocator.allocate(600, 38400),
        "Out of Memory: Not enough space to allocate 38400 B L1 buffer across 64 banks, where each bank needs to store "
        "608 B, "
        "but bank size is 1024 B (allocated: 256 B, free: 768 B, largest free block: 512 B)");
}

TEST(Allocator, NeverOverlapsAndGivesEverythingBack) {
    for (const bool bottom_up : {false, true}) {
        BankAllocator allocator(
            {.type = BufferType::DRAM,
             .base = 0,
             .bank_size = 1 << 20,
             .banks = 12,
             .alignment = 32,
             .bottom_up = bottom_up});
        std::mt19937 random(7);
        std::map<std::uint64_t, std::uint64_t> live;
        for (int step = 0; step < 5000; ++step) {
            if (live.empty() || random() % 5 < 3) {
                const std::uint64_t size = 1 + random() % 9000;
                std::uint64_t address = 0;
                try {
                    address = allocator.allocate(size, size);
                } catch (const std::runtime_error&) {
                    continue;
                }
                const auto next = live.lower_bound(address);
                ASSERT_TRUE(next == live.end() || address + size <= next->first);
                ASSERT_TRUE(next == live.begin() || std::prev(next)->first + std::prev(next)->second <= address);
                live.emplace(address, size);
            } else {
                const auto victim = std::next(live.begin(), static_cast<long>(random() % live.size()));
                allocator.free(victim->first);
                live.erase(victim);
            }
        }
        for (const auto& [address, size] : live) {
            allocator.free(address);
        }
        EXPECT_EQ(allocator.usage().allocated, 0u);
        EXPECT_EQ(allocator.allocate(1 << 20, 0), 0u);
    }
}

}  // namespace
