// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tt-metalium/buffer.hpp>
#include <tt-metalium/buffer_types.hpp>

namespace tt::tt_metal {

enum class DataType {
    BFLOAT16 = 0,
    FLOAT32 = 1,
    UINT32 = 2,
    BFLOAT8_B = 3,
    BFLOAT4_B = 4,
    UINT8 = 5,
    UINT16 = 6,
    INT32 = 7,
    INVALID = 10,
};

bool is_floating_point(DataType dtype);
bool is_block_float(DataType dtype);

}  // namespace tt::tt_metal
