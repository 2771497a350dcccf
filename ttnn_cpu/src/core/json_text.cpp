// SPDX-License-Identifier: Apache-2.0
#include "core/json_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace ttnn_cpu {

using namespace tt::tt_metal;

void JsonText::append(double value) {
    // JSON has no infinities; their names are what Python's float() takes back.
    if (std::isfinite(value)) {
        text_ += fmt::format("{}", value);
    } else {
        append_string(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    }
}

void JsonText::append(const CoreCoord& core) { append_range(std::array{core.x, core.y}); }

void JsonText::append(const CoreRangeSet& cores) {
    std::vector<JsonText> ranges;
    for (const CoreRange& range : cores.ranges()) {
        ranges.push_back(JsonText().field("start", range.start_coord).field("end", range.end_coord));
    }
    append(ranges);
}

void JsonText::append(const MemoryConfig& config) {
    JsonText object;
    object.field("memory_layout", config.memory_layout()).field("buffer_type", config.buffer_type());
    if (const auto& shard = config.shard_spec()) {
        object.field(
            "shard_spec", JsonText()
                              .field("grid", shard->grid)
                              .field("shape", shard->shape)
                              .field("orientation", shard->orientation));
    } else {
        object.field("shard_spec", std::nullopt);
    }
    append(object);
}

void JsonText::append(const TensorSpec& spec) {
    append(JsonText()
               .field("shape", spec.logical_shape())
               .field("padded_shape", spec.padded_shape())
               .field("dtype", spec.data_type())
               .field("layout", spec.layout())
               .field("memory_config", spec.memory_config()));
}

void JsonText::append_string(std::string_view value) {
    text_ += '"';
    for (const char c : value) {
        if (c == '"' || c == '\\') {
            text_ += '\\';
            text_ += c;
        } else if (static_cast<unsigned char>(c) < 0x20) {
            text_ += fmt::format("\\u{:04x}", static_cast<int>(c));
        } else {
            text_ += c;
        }
    }
    text_ += '"';
}

}  // namespace ttnn_cpu
