// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/eltwise.hpp"

namespace ttnn_cpu::kernels::avx512 {

// An operand of n values, or one value for all of them.
struct Bf16Operand {
    const std::uint16_t* values;
    bool same;
};

// Same bits as kernels::binary_bf16 on each pair.
void binary_bf16(BinaryFunction function, Bf16Operand a, Bf16Operand b, std::size_t n, std::uint16_t* out);

}  // namespace ttnn_cpu::kernels::avx512
