// SPDX-License-Identifier: Apache-2.0
#pragma once

// Sizes of the stored formats.
#include <cstddef>
#include <cstdint>

#include <tt-metalium/tensor/tensor_types.hpp>

namespace ttnn_cpu {

// Bytes that `elements` of a data type take; block floats count their shared exponents, one byte for 16 elements.
std::size_t storage_bytes(tt::tt_metal::DataType dtype, std::size_t elements);

// What Tensor::element_size reports: 1 for block floats.
std::uint32_t element_size(tt::tt_metal::DataType dtype);

constexpr std::size_t round_up(std::size_t value, std::size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

constexpr std::size_t divide_up(std::size_t value, std::size_t divisor) { return (value + divisor - 1) / divisor; }

}  // namespace ttnn_cpu
