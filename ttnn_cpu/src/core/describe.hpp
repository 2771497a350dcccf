// SPDX-License-Identifier: Apache-2.0
#pragma once

// The text of API types in messages, records and program keys.
#include <string>
#include <string_view>

#include <tt-metalium/base_types.hpp>
#include <tt-metalium/core_coord.hpp>
#include <tt-metalium/shape.hpp>
#include <tt-metalium/tensor/spec/tensor_spec.hpp>

namespace ttnn_cpu {

std::string_view to_string(tt::tt_metal::DataType dtype);
std::string_view to_string(tt::tt_metal::Layout layout);
std::string_view to_string(tt::tt_metal::TensorMemoryLayout layout);
std::string_view to_string(tt::tt_metal::BufferType type);
std::string_view to_string(tt::tt_metal::ShardOrientation orientation);
std::string_view to_string(tt::tt_metal::MathFidelity fidelity);
std::string to_string(const tt::tt_metal::Shape& shape);  // "[1, 1, 32, 64]"
std::string to_string(const tt::tt_metal::CoreCoord& core);
std::string to_string(const tt::tt_metal::CoreRangeSet& cores);
std::string to_string(const tt::tt_metal::MemoryConfig& config);

}  // namespace ttnn_cpu
