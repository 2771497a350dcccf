// SPDX-License-Identifier: Apache-2.0
#include "core/device_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/buffer_log.hpp"
#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/recorder.hpp"

namespace ttnn_cpu {

using tt::tt_metal::BufferType;

namespace {

std::uint32_t l1_banks(const BoardSpec& board) { return static_cast<std::uint32_t>(board.grid.x * board.grid.y); }

std::uint64_t checked_l1_end(const BoardSpec& board, std::size_t l1_small_size) {
    TT_FATAL(
        l1_small_size <= board.l1_size - board.l1_reserved,
        "l1_small_size {} B must not exceed the {} B of L1 that are not reserved", l1_small_size,
        board.l1_size - board.l1_reserved);
    return board.l1_size - l1_small_size;
}

std::uint64_t dram_bank_bytes(const BoardSpec& board, std::size_t trace_region_size) {
    // The trace region is given over all banks and takes whole 8 KiB pages of each.
    const std::uint64_t trace = round_up(divide_up(trace_region_size, board.dram_banks), 8192);
    TT_FATAL(
        trace <= board.dram_bank_size - board.dram_reserved,
        "trace_region_size {} B must not exceed the DRAM of the device, {} banks of {} B", trace_region_size,
        board.dram_banks, board.dram_bank_size);
    return board.dram_bank_size - board.dram_reserved - trace;
}

}  // namespace

Arena::Arena(std::size_t bytes) : bytes_(bytes) {
    void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    TT_FATAL(
        memory != MAP_FAILED, "Cannot reserve {} B of address space for device memory: {}", bytes,
        std::strerror(errno));
    data_ = static_cast<std::byte*>(memory);
}

Arena::~Arena() { munmap(data_, bytes_); }

DeviceMemory::DeviceMemory(const BoardSpec& board, std::size_t l1_small_size, std::size_t trace_region_size)
    : board_(board),
      l1_end_(checked_l1_end(board, l1_small_size)),
      trace_region_size_(trace_region_size),
      l1_(
          {.type = BufferType::L1,
           .base = board.l1_reserved,
           .bank_size = l1_end_ - board.l1_reserved,
           .banks = l1_banks(board),
           .alignment = board.dram_alignment,
           .bottom_up = false}),
      l1_small_(
          {.type = BufferType::L1_SMALL,
           .base = l1_end_,
           .bank_size = l1_small_size,
           .banks = l1_banks(board),
           .alignment = board.dram_alignment,
           .bottom_up = false}),
      dram_(
          {.type = BufferType::DRAM,
           .base = board.dram_reserved,
           .bank_size = dram_bank_bytes(board, trace_region_size),
           .banks = board.dram_banks,
           .alignment = board.dram_alignment,
           .bottom_up = true}),
      l1_arena_(std::size_t{board.l1_size} * l1_banks(board)),
      dram_arena_(board.dram_bank_size * board.dram_banks) {}

const BankAllocator& DeviceMemory::allocator(BufferType type) const {
    switch (type) {
        case BufferType::L1:
            return l1_;
        case BufferType::L1_SMALL:
            return l1_small_;
        case BufferType::DRAM:
            return dram_;
        default:
            TT_THROW("Tensors live in DRAM, L1 or L1_SMALL, not in {}", to_string(type));
    }
}

BankAllocator& DeviceMemory::allocator(BufferType type) {
    return const_cast<BankAllocator&>(std::as_const(*this).allocator(type));
}

std::uint64_t DeviceMemory::allocate(const tt::tt_metal::TensorSpec& spec) {
    const tt::tt_metal::MemoryConfig& memory = spec.memory_config();
    BankAllocator& bank_allocator = allocator(memory.buffer_type());
    const BankAllocator::Region& region = bank_allocator.region();
    if (memory.is_sharded()) {
        TT_FATAL(
            memory.shard_spec().has_value(), "Cannot allocate a {} tensor of shape {} without a shard spec",
            to_string(memory.memory_layout()), to_string(spec.logical_shape()));
        const tt::tt_metal::CoreRangeSet& grid = memory.shard_spec()->grid;
        TT_FATAL(
            grid.num_cores() <= region.banks,
            "Expected number of shards {} to be less than or equal to total number of {} banks {} in compute cores",
            grid.num_cores(), to_string(memory.buffer_type()), region.banks);
        if (memory.is_l1()) {
            const tt::tt_metal::CoreCoord end = grid.bounding_box().end_coord;
            TT_FATAL(
                end.x < board_.grid.x && end.y < board_.grid.y,
                "Shard grid {} must lie inside the compute grid of {}x{} cores", grid.str(), board_.grid.x,
                board_.grid.y);
        }
    }
    const std::uint32_t page_alignment = memory.is_dram() ? board_.dram_alignment : board_.l1_alignment;
    const std::uint64_t per_bank = spec.compute_consumed_memory_bytes_per_bank(page_alignment, region.banks);
    const std::uint64_t total = spec.compute_packed_buffer_size_bytes();
    const std::uint64_t address = bank_allocator.allocate(per_bank, total);
    const std::lock_guard lock(live_mutex_);
    BufferRecord& record = live_[{memory.buffer_type(), address}];
    record = {
        .type = memory.buffer_type(),
        .layout = memory.memory_layout(),
        .address = address,
        .bytes = total,
        .bytes_per_bank = per_bank,
        .page_size = spec.compute_page_size_bytes(),
        .num_cores = memory.is_sharded() ? memory.shard_spec()->grid.num_cores() : 0};
    if (recorder_ != nullptr) {
        BufferRecord event = record;
        event.event = BufferRecord::Event::Allocated;
        recorder_->add_buffer(event);
    }
    buffer_log::add(*this, memory.buffer_type(), address, &spec);
    return address;
}

void DeviceMemory::free(BufferType type, std::uint64_t address) {
    // First out of the table, since the address can be given to another buffer as soon as it is free.
    {
        const std::lock_guard lock(live_mutex_);
        const auto found = live_.find({type, address});
        if (recorder_ != nullptr) {
            BufferRecord event = found->second;
            event.event = BufferRecord::Event::Freed;
            recorder_->add_buffer(event);
        }
        live_.erase(found);
        buffer_log::add(*this, type, address, nullptr);
    }
    allocator(type).free(address);
}

std::vector<BufferRecord> DeviceMemory::observe(Recorder* recorder) {
    const std::lock_guard lock(live_mutex_);
    recorder_ = recorder;
    std::vector<BufferRecord> live;
    live.reserve(live_.size());
    for (const auto& [key, record] : live_) {
        live.push_back(record);
    }
    return live;
}

std::byte* DeviceMemory::host_pointer(BufferType type, std::uint64_t address) const {
    const bool dram = type == BufferType::DRAM;
    return (dram ? dram_arena_ : l1_arena_).data() + address * (dram ? board_.dram_banks : l1_banks(board_));
}

void DeviceMemory::reserve_trace(std::uint64_t bytes) {
    // Without a region of its own a trace is placed in whatever DRAM is free.
    if (trace_region_size_ > 0) {
        TT_FATAL(
            trace_used_ + bytes <= trace_region_size_,
            "Creating trace buffers of size {}B on MeshDevice 0, but only {}B is allocated for trace region. Increase "
            "trace_region_size to at least {}.",
            trace_used_ + bytes, trace_region_size_, trace_used_ + bytes);
    }
    trace_used_ += bytes;
}

void DeviceMemory::release_trace(std::uint64_t bytes) { trace_used_ -= bytes; }

}  // namespace ttnn_cpu
