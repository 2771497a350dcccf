// SPDX-License-Identifier: Apache-2.0
#include "profile/text.hpp"

#include <algorithm>
#include <map>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace zoo::apps::profile {

namespace {

using nlohmann::json;

std::string plain(const json& value) {
    if (value.is_null()) {
        return "std::nullopt";
    }
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_array()) {
        std::vector<std::string> parts;
        for (const json& part : value) {
            parts.push_back(plain(part));
        }
        return fmt::format("({})", fmt::join(parts, ";"));
    }
    if (value.is_object()) {
        std::vector<std::string> parts;
        for (const auto& [name, part] : value.items()) {
            if (name != "type") {
                parts.push_back(name + "=" + plain(part));
            }
        }
        return fmt::format("{}({})", value.value("type", std::string()), fmt::join(parts, ";"));
    }
    return value.dump();
}

// Takes the named fields out of an object and into one of their own. The blank after each semicolon is what the reader looks for.
std::string gather(json& object, std::string_view type, std::initializer_list<std::string_view> names) {
    std::string text(type);
    text += '(';
    for (const std::string_view name : names) {
        const auto found = object.find(std::string(name));
        if (found != object.end()) {
            text += fmt::format("{}={}; ", name, plain(*found));
            object.erase(found);
        }
    }
    if (text.ends_with("; ")) {
        text.resize(text.size() - 2);
    }
    return text + ")";
}

std::string gather_window(json& object) {
    return gather(
        object, "SlidingWindowConfig",
        {"batch_size", "input_hw", "window_hw", "stride_hw", "padding", "dilation_hw", "groups", "num_cores_nhw",
         "snap_to_tile"});
}

std::optional<tt::tt_metal::ShardSpec> shard_of(const ttnn_cpu::OpRecord& op) {
    return op.outputs.empty() ? std::nullopt : op.outputs[0].spec.memory_config().shard_spec();
}

std::uint32_t tiles(std::uint32_t size) { return (size + 31) / 32; }

// tt-perf-report reads the window and the blocks of a convolution from the structs that hold them in tt-metal, and takes the split
// reader for granted unless told otherwise.
void group_conv_attributes(json& object, const ttnn_cpu::OpRecord& op) {
    object["sliding_window_config"] = gather_window(object);
    if (const auto shard = shard_of(op)) {
        object["parallelization_config"] = fmt::format(
            "Conv2dParallelizationConfig(per_core_out_matrix_height_ntile={}; per_core_out_matrix_width_ntile={})",
            tiles(shard->shape[0]), tiles(shard->shape[1]));
    }
    object["block_config"] = gather(
        object, "Conv2dBlockConfig",
        {"act_block_h_ntiles", "act_block_w_ntiles", "out_subblock_h_ntiles", "out_subblock_w_ntiles"});
    object["enable_split_reader"] = object.value("force_split_reader", json(false)) == true;
}

std::string quoted(std::string text) {
    std::ranges::replace(text, '\'', '"');
    std::ranges::replace(text, ',', ';');
    return "'" + text + "'";
}

}  // namespace

double bits_per_element(ttnn::DataType dtype) {
    switch (dtype) {
        case ttnn::DataType::BFLOAT4_B:
            return 4;
        case ttnn::DataType::BFLOAT8_B:
        case ttnn::DataType::UINT8:
            return 8;
        case ttnn::DataType::BFLOAT16:
        case ttnn::DataType::UINT16:
            return 16;
        default:
            return 32;
    }
}

std::string_view dtype_name(ttnn::DataType dtype) {
    switch (dtype) {
        case ttnn::DataType::BFLOAT16:
            return "BFLOAT16";
        case ttnn::DataType::FLOAT32:
            return "FLOAT32";
        case ttnn::DataType::UINT32:
            return "UINT32";
        case ttnn::DataType::BFLOAT8_B:
            return "BFLOAT8_B";
        case ttnn::DataType::BFLOAT4_B:
            return "BFLOAT4_B";
        case ttnn::DataType::UINT8:
            return "UINT8";
        case ttnn::DataType::UINT16:
            return "UINT16";
        case ttnn::DataType::INT32:
            return "INT32";
        default:
            return "INVALID";
    }
}

std::string_view layout_name(ttnn::Layout layout) { return layout == ttnn::Layout::TILE ? "TILE" : "ROW_MAJOR"; }

std::string_view memory_layout_name(ttnn::TensorMemoryLayout memory_layout) {
    switch (memory_layout) {
        case ttnn::TensorMemoryLayout::HEIGHT_SHARDED:
            return "HEIGHT_SHARDED";
        case ttnn::TensorMemoryLayout::WIDTH_SHARDED:
            return "WIDTH_SHARDED";
        case ttnn::TensorMemoryLayout::BLOCK_SHARDED:
            return "BLOCK_SHARDED";
        default:
            return "INTERLEAVED";
    }
}

std::string_view buffer_type_name(ttnn::BufferType type) {
    switch (type) {
        case ttnn::BufferType::L1:
            return "L1";
        case ttnn::BufferType::L1_SMALL:
            return "L1_SMALL";
        case ttnn::BufferType::SYSTEM_MEMORY:
            return "SYSTEM_MEMORY";
        case ttnn::BufferType::TRACE:
            return "TRACE";
        default:
            return "DRAM";
    }
}

std::string sheet_memory(const ttnn_cpu::TensorRecord& tensor) {
    if (!tensor.on_device) {
        return "HOST";
    }
    const ttnn::MemoryConfig& memory = tensor.spec.memory_config();
    return fmt::format(
        "DEV_0_{}_{}", buffer_type_name(memory.buffer_type()), memory_layout_name(memory.memory_layout()));
}

std::string visualizer_memory(const ttnn::MemoryConfig& memory) {
    std::string shard = "std::nullopt";
    if (const auto& spec = memory.shard_spec()) {
        // The reader asks for a halo, which the struct no longer has.
        shard = fmt::format(
            "ShardSpec(grid={},shape={{{}, {}}},orientation=ShardOrientation::{},halo=0)", spec->grid.str(),
            spec->shape[0], spec->shape[1],
            spec->orientation == tt::tt_metal::ShardOrientation::ROW_MAJOR ? "ROW_MAJOR" : "COL_MAJOR");
    }
    return fmt::format(
        "MemoryConfig(memory_layout=TensorMemoryLayout::{},buffer_type=BufferType::{},shard_spec={})",
        memory_layout_name(memory.memory_layout()), buffer_type_name(memory.buffer_type()), shard);
}

std::string sheet_attributes(const ttnn_cpu::OpRecord& op) {
    json object = json::parse(op.attributes, nullptr, false);
    if (!object.is_object()) {
        return "{}";
    }
    if (op.name.find("Conv2d") != std::string::npos) {
        group_conv_attributes(object, op);
    } else if (op.name.starts_with("Halo")) {
        object["config"] = gather_window(object);
        if (!op.outputs.empty()) {
            object["output_memory_config"] = fmt::format(
                "MemoryConfig(memory_layout=TensorMemoryLayout::{};buffer_type=BufferType::L1)",
                memory_layout_name(op.outputs[0].spec.memory_config().memory_layout()));
        }
    }
    std::vector<std::string> fields;
    for (const auto& [name, value] : object.items()) {
        fields.push_back(fmt::format("'{}': {}", name, quoted(plain(value))));
    }
    return fmt::format("{{{}}}", fmt::join(fields, "; "));
}

std::string plain_value(const std::string& text) { return plain(json::parse(text, nullptr, false)); }

std::string core_range_text(std::uint32_t cores, std::uint32_t grid_x) {
    const std::uint32_t rows = cores / grid_x;
    const std::uint32_t rest = cores % grid_x;
    std::vector<std::string> ranges;
    if (rows > 0) {
        ranges.push_back(fmt::format("[(x=0,y=0) - (x={},y={})]", grid_x - 1, rows - 1));
    }
    if (rest > 0) {
        ranges.push_back(fmt::format("[(x=0,y={}) - (x={},y={})]", rows, rest - 1, rows));
    }
    return fmt::format("{{{}}}", fmt::join(ranges, ", "));
}

}  // namespace zoo::apps::profile
