// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <tt-metalium/buffer_types.hpp>
#include <tt-metalium/core_coord.hpp>

namespace ttnn_cpu {
class BufferImpl;
}

namespace tt::tt_metal {

using DeviceAddr = std::uint64_t;

// Which cores hold a tensor, and the part of its 2D shape that each of them holds.
struct ShardSpec {
    CoreRangeSet grid;
    std::array<std::uint32_t, 2> shape;
    ShardOrientation orientation = ShardOrientation::ROW_MAJOR;

    ShardSpec(
        const CoreRangeSet& core_sets, const std::array<std::uint32_t, 2>& shard_shape,
        const ShardOrientation& shard_orientation = ShardOrientation::ROW_MAJOR)
        : grid(core_sets), shape(shard_shape), orientation(shard_orientation) {}

    std::uint32_t num_cores() const { return grid.num_cores(); }
    std::uint32_t numel() const { return shape[0] * shape[1]; }

    bool operator==(const ShardSpec& other) const = default;
};

// Memory that a device's allocator gave out: one address range, the same on every bank.
class Buffer {
public:
    explicit Buffer(std::unique_ptr<ttnn_cpu::BufferImpl> impl);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    DeviceAddr address() const;
    // Bytes over all banks.
    DeviceAddr size() const;
    DeviceAddr page_size() const;
    std::uint32_t num_pages() const;
    BufferType buffer_type() const;
    bool is_allocated() const;

    ttnn_cpu::BufferImpl& impl() { return *impl_; }
    const ttnn_cpu::BufferImpl& impl() const { return *impl_; }

private:
    std::unique_ptr<ttnn_cpu::BufferImpl> impl_;
};

}  // namespace tt::tt_metal
