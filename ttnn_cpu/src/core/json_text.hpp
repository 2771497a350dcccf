// SPDX-License-Identifier: Apache-2.0
#pragma once

// Writes JSON objects as text: the arguments of calls in records and in program keys.
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <tt-metalium/base_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/shape.hpp>
#include <tt-metalium/tensor/spec/tensor_spec.hpp>

#include "core/describe.hpp"

namespace ttnn_cpu {

class JsonText {
public:
    // One field of the object. Optionals without a value become null, ranges become arrays, and an object is written by
    // passing another JsonText.
    template <typename T>
    JsonText& field(std::string_view name, const T& value) {
        text_ += text_.empty() ? '{' : ',';
        append_string(name);
        text_ += ':';
        append(value);
        return *this;
    }

    // A tensor argument: its place among the inputs of the call.
    JsonText& tensor(std::string_view name, std::optional<std::size_t> index) {
        if (!index) {
            return field(name, std::nullopt);
        }
        return field(name, JsonText().field("tensor", *index));
    }

    std::string str() const { return text_.empty() ? "{}" : text_ + "}"; }

private:
    void append(std::nullopt_t) { text_ += "null"; }
    void append(bool value) { text_ += value ? "true" : "false"; }
    void append(double value);
    void append(float value) { append(static_cast<double>(value)); }
    template <typename T>
    requires(std::is_integral_v<T> && !std::is_same_v<T, bool>) void append(T value) { text_ += std::to_string(value); }
    void append(std::string_view value) { append_string(value); }
    void append(const std::string& value) { append_string(value); }
    void append(const char* value) { append_string(value); }
    void append(const JsonText& value) { text_ += value.str(); }
    template <typename T>
    requires std::is_enum_v<T>
    void append(T value) { append_string(to_string(value)); }
    void append(const tt::tt_metal::CoreCoord& core);
    void append(const tt::tt_metal::CoreRangeSet& cores);
    void append(const tt::tt_metal::Shape& shape) { append_range(shape.view()); }
    void append(const tt::tt_metal::MemoryConfig& config);
    void append(const tt::tt_metal::TensorSpec& spec);
    template <typename T>
    void append(const std::optional<T>& value) {
        value ? append(*value) : append(std::nullopt);
    }
    template <typename T>
    void append(const std::vector<T>& values) {
        append_range(std::span<const T>(values));
    }
    template <typename T, std::size_t N>
    void append(const std::array<T, N>& values) {
        append_range(std::span<const T>(values));
    }
    template <typename T>
    void append(std::span<const T> values) {
        append_range(values);
    }
    template <typename Range>
    void append_range(const Range& values) {
        text_ += '[';
        bool first = true;
        for (const auto& value : values) {
            if (!first) {
                text_ += ',';
            }
            first = false;
            append(value);
        }
        text_ += ']';
    }
    void append_string(std::string_view value);

    std::string text_;
};

}  // namespace ttnn_cpu
