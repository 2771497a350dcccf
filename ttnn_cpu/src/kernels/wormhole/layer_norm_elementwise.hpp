// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

// Element-wise operations of the matrix unit with a 32-bit destination at HiFi4, on rows, bit for bit. Operands are cut
// to TF32 on their way in; out may be an operand.
namespace ttnn_cpu::kernels::wormhole {

// An operand of n values, or one value for all of them.
struct RowOperand {
    const float* values;
    bool same = false;
};

void elementwise_add(RowOperand a, RowOperand b, std::size_t n, float* out);
void elementwise_sub(RowOperand a, RowOperand b, std::size_t n, float* out);

// a goes into SrcA, which leaves out the lowest bit of a TF32.
void elementwise_mul(RowOperand a, RowOperand b, std::size_t n, float* out);

}  // namespace ttnn_cpu::kernels::wormhole
