// SPDX-License-Identifier: Apache-2.0
#pragma once

// The memories of a device: allocators, and the host memory that stands for the banks.
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <tt-metalium/tensor/spec/tensor_spec.hpp>
#include <ttnn_cpu/records.hpp>

#include "core/allocator.hpp"
#include "core/board.hpp"

namespace ttnn_cpu {

class Recorder;

// Reserved address space of the host; pages are only taken when written.
class Arena {
public:
    explicit Arena(std::size_t bytes);
    ~Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    std::byte* data() const { return data_; }

private:
    std::byte* data_;
    std::size_t bytes_;
};

// A device address names the same range in every bank, so the bytes of all banks stand at address * banks in the arena:
// buffers overlap here exactly when they would on the card.
class DeviceMemory {
public:
    DeviceMemory(const BoardSpec& board, std::size_t l1_small_size, std::size_t trace_region_size);

    std::uint64_t allocate(const tt::tt_metal::TensorSpec& spec);
    void free(tt::tt_metal::BufferType type, std::uint64_t address);
    std::byte* host_pointer(tt::tt_metal::BufferType type, std::uint64_t address) const;

    // Takes room for a captured trace; throws when the trace region is too small.
    void reserve_trace(std::uint64_t bytes);
    void release_trace(std::uint64_t bytes);

    // Tells `recorder` of every buffer that comes or goes from now on; null ends that. What is there now is returned.
    std::vector<BufferRecord> observe(Recorder* recorder);

    const BankAllocator& allocator(tt::tt_metal::BufferType type) const;
    BankAllocator& allocator(tt::tt_metal::BufferType type);
    // Where circular buffers start.
    std::uint64_t l1_base() const { return board_.l1_reserved; }
    std::uint64_t l1_end() const { return l1_end_; }

private:
    BoardSpec board_;
    std::uint64_t l1_end_;  // first address of L1_SMALL
    std::size_t trace_region_size_;
    std::uint64_t trace_used_ = 0;
    BankAllocator l1_;
    BankAllocator l1_small_;
    BankAllocator dram_;
    Arena l1_arena_;
    Arena dram_arena_;

    std::mutex live_mutex_;
    std::map<std::pair<tt::tt_metal::BufferType, std::uint64_t>, BufferRecord> live_;  // by address
    Recorder* recorder_ = nullptr;
};

}  // namespace ttnn_cpu
