// SPDX-License-Identifier: Apache-2.0
#include "core/data_type.hpp"

#include "core/fatal.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;

std::size_t storage_bytes(DataType dtype, std::size_t elements) {
    switch (dtype) {
        case DataType::BFLOAT8_B:
            return elements + elements / 16;
        case DataType::BFLOAT4_B:
            return elements / 2 + elements / 16;
        default:
            return elements * element_size(dtype);
    }
}

std::uint32_t element_size(DataType dtype) {
    switch (dtype) {
        case DataType::FLOAT32:
        case DataType::UINT32:
        case DataType::INT32:
            return 4;
        case DataType::BFLOAT16:
        case DataType::UINT16:
            return 2;
        case DataType::UINT8:
        case DataType::BFLOAT8_B:
        case DataType::BFLOAT4_B:
            return 1;
        case DataType::INVALID:
            break;
    }
    TT_THROW("Unsupported data type INVALID");
}

}  // namespace ttnn_cpu

namespace tt::tt_metal {

bool is_floating_point(DataType dtype) {
    return dtype == DataType::BFLOAT16 || dtype == DataType::FLOAT32 || is_block_float(dtype);
}

bool is_block_float(DataType dtype) { return dtype == DataType::BFLOAT8_B || dtype == DataType::BFLOAT4_B; }

}  // namespace tt::tt_metal
