// SPDX-License-Identifier: Apache-2.0
#include "core/describe.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ttnn_cpu {

using namespace tt::tt_metal;

std::string_view to_string(DataType dtype) {
    switch (dtype) {
        case DataType::BFLOAT16:
            return "BFLOAT16";
        case DataType::FLOAT32:
            return "FLOAT32";
        case DataType::UINT32:
            return "UINT32";
        case DataType::BFLOAT8_B:
            return "BFLOAT8_B";
        case DataType::BFLOAT4_B:
            return "BFLOAT4_B";
        case DataType::UINT8:
            return "UINT8";
        case DataType::UINT16:
            return "UINT16";
        case DataType::INT32:
            return "INT32";
        case DataType::INVALID:
            break;
    }
    return "INVALID";
}

std::string_view to_string(Layout layout) {
    switch (layout) {
        case Layout::ROW_MAJOR:
            return "ROW_MAJOR";
        case Layout::TILE:
            return "TILE";
        case Layout::INVALID:
            break;
    }
    return "INVALID";
}

std::string_view to_string(TensorMemoryLayout layout) {
    switch (layout) {
        case TensorMemoryLayout::INTERLEAVED:
            return "INTERLEAVED";
        case TensorMemoryLayout::HEIGHT_SHARDED:
            return "HEIGHT_SHARDED";
        case TensorMemoryLayout::WIDTH_SHARDED:
            return "WIDTH_SHARDED";
        case TensorMemoryLayout::BLOCK_SHARDED:
            return "BLOCK_SHARDED";
    }
    return "INVALID";
}

std::string_view to_string(BufferType type) {
    switch (type) {
        case BufferType::DRAM:
            return "DRAM";
        case BufferType::L1:
            return "L1";
        case BufferType::SYSTEM_MEMORY:
            return "SYSTEM_MEMORY";
        case BufferType::L1_SMALL:
            return "L1_SMALL";
        case BufferType::TRACE:
            return "TRACE";
    }
    return "INVALID";
}

std::string_view to_string(ShardOrientation orientation) {
    return orientation == ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR";
}

std::string_view to_string(MathFidelity fidelity) {
    switch (fidelity) {
        case MathFidelity::LoFi:
            return "LoFi";
        case MathFidelity::HiFi2:
            return "HiFi2";
        case MathFidelity::HiFi3:
            return "HiFi3";
        case MathFidelity::HiFi4:
            return "HiFi4";
        case MathFidelity::Invalid:
            break;
    }
    return "Invalid";
}

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape.view(), ", ")); }

std::string to_string(const CoreCoord& core) { return core.str(); }

std::string to_string(const CoreRangeSet& cores) { return cores.str(); }

std::string to_string(const MemoryConfig& config) {
    std::string text = fmt::format("{} {}", to_string(config.buffer_type()), to_string(config.memory_layout()));
    if (const auto& shard = config.shard_spec()) {
        text += fmt::format(
            " shards of {}x{} on {}, {}", shard->shape[0], shard->shape[1], shard->grid.str(),
            to_string(shard->orientation));
    }
    return text;
}

}  // namespace ttnn_cpu

namespace tt::tt_metal {

std::ostream& operator<<(std::ostream& os, const Shape& shape) { return os << ttnn_cpu::to_string(shape); }

std::ostream& operator<<(std::ostream& os, const MemoryConfig& config) { return os << ttnn_cpu::to_string(config); }

}  // namespace tt::tt_metal
