// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>

#include <tt-metalium/tensor/tensor_types.hpp>

namespace tt::tt_metal {

// Where a tensor lives: DRAM or L1, interleaved over all banks or in shards.
class MemoryConfig final {
public:
    // DRAM, interleaved.
    MemoryConfig() = default;
    explicit MemoryConfig(
        TensorMemoryLayout memory_layout, BufferType buffer_type = BufferType::DRAM,
        std::optional<ShardSpec> shard_spec = std::nullopt);

    TensorMemoryLayout memory_layout() const { return memory_layout_; }
    BufferType buffer_type() const { return buffer_type_; }
    const std::optional<ShardSpec>& shard_spec() const { return shard_spec_; }

    bool is_sharded() const { return memory_layout_ != TensorMemoryLayout::INTERLEAVED; }
    bool is_l1() const { return buffer_type_ == BufferType::L1 || buffer_type_ == BufferType::L1_SMALL; }
    bool is_dram() const { return buffer_type_ == BufferType::DRAM; }

private:
    TensorMemoryLayout memory_layout_ = TensorMemoryLayout::INTERLEAVED;
    BufferType buffer_type_ = BufferType::DRAM;
    std::optional<ShardSpec> shard_spec_;
};

bool operator==(const MemoryConfig& a, const MemoryConfig& b);
bool operator!=(const MemoryConfig& a, const MemoryConfig& b);
std::ostream& operator<<(std::ostream& os, const MemoryConfig& config);

}  // namespace tt::tt_metal
