// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tt-metalium/tensor/tensor_types.hpp>

namespace ttnn_cpu::kernels {

// How values get from one data type to another.
enum class ConvertRule {
    Pack,      // unpacked and packed again, as every op that only moves tiles does; floating-point types only
    Typecast,  // ttnn::typecast: float32 to bfloat16 by nearest even, block floats without the first rounding
};

// `elements` is a multiple of 16 where a block float is involved: both planes of a buffer of that many values. Sources
// and results may not overlap. Equal types are copied.
void convert(
    tt::tt_metal::DataType from, tt::tt_metal::DataType to, ConvertRule rule, std::size_t elements, const std::byte* in,
    std::byte* out);

}  // namespace ttnn_cpu::kernels
