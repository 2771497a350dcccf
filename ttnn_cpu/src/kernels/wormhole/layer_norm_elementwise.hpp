// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "kernels/wormhole/matrix_fpu.hpp"

// Element-wise operations of the matrix unit on rows, bit for bit, as they lie in memory afterwards: in float32, or with a 16-bit
// destination in bfloat16. Operands are cut to TF32 on their way in; out may be an operand.
namespace ttnn_cpu::kernels::wormhole {

// An operand of n values, or one value for all of them.
struct RowOperand {
    const float* values;
    bool same = false;
};

void elementwise_add(const MatrixUnit& unit, RowOperand a, RowOperand b, std::size_t n, float* out);
void elementwise_sub(const MatrixUnit& unit, RowOperand a, RowOperand b, std::size_t n, float* out);

// a goes into SrcA, which leaves out the lowest bit of a TF32.
void elementwise_mul(const MatrixUnit& unit, RowOperand a, RowOperand b, std::size_t n, float* out);

}  // namespace ttnn_cpu::kernels::wormhole
