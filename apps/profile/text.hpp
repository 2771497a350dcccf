// SPDX-License-Identifier: Apache-2.0
#pragma once

// The words of the ecosystem's file formats for TTNN's types.
#include <cstdint>
#include <string>
#include <string_view>

#include <ttnn_cpu/records.hpp>

#include "ttnn/types.hpp"

namespace zoo::apps::profile {

// 16 for BFLOAT16, 8 for BFLOAT8_B: shared exponents are not counted, as the tools do.
double bits_per_element(ttnn::DataType dtype);

std::string_view dtype_name(ttnn::DataType dtype);                            // "BFLOAT8_B"
std::string_view layout_name(ttnn::Layout layout);                            // "TILE"
std::string_view memory_layout_name(ttnn::TensorMemoryLayout memory_layout);  // "BLOCK_SHARDED"
std::string_view buffer_type_name(ttnn::BufferType type);                     // "L1"

// "DEV_0_L1_BLOCK_SHARDED", or "HOST".
std::string sheet_memory(const ttnn_cpu::TensorRecord& tensor);
// Of the visualizer: "MemoryConfig(memory_layout=TensorMemoryLayout::...,...)".
std::string visualizer_memory(const ttnn::MemoryConfig& memory);

// The attributes of a device op as the sheet holds them, a Python dict: {'dim': '-1'; 'scale': '0.125'}.
std::string sheet_attributes(const ttnn_cpu::OpRecord& op);
// One JSON value as C++ would print it: numbers and names as they are, objects as Type(a=1;b=2).
std::string plain_value(const std::string& json);

// "(x=0,y=0) - (x=7,y=3)" of `cores` cores filled row by row on a grid of this width, as a core range set.
std::string core_range_text(std::uint32_t cores, std::uint32_t grid_x);

}  // namespace zoo::apps::profile
