// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "core/program.hpp"
#include "kernels/eltwise.hpp"
#include "kernels/sfpu.hpp"
#include "kernels/stored_matrix.hpp"
#include "ops/eltwise/broadcast.hpp"

namespace ttnn_cpu {

struct BinarySpec {
    kernels::BinaryFunction function;
    std::vector<kernels::UnaryOp> lhs_chain;
    std::vector<kernels::UnaryOp> rhs_chain;
    std::vector<kernels::UnaryOp> post_chain;
    kernels::StoredMatrix lhs;
    kernels::StoredMatrix out;
    RowBroadcast lhs_rows;
    // Either a second tensor or a number.
    std::optional<kernels::StoredMatrix> rhs;
    std::optional<RowBroadcast> rhs_rows;
    float scalar = 0;
    // Computed by the matrix unit: add and subtract but of two FLOAT32, multiply where a block float is involved.
    bool matrix_unit = false;
};

Kernel binary_kernel(BinarySpec spec);

// INT32 and UINT32: add, subtract and multiply modulo 2^32.
Kernel integer_binary_kernel(BinarySpec spec, std::int64_t scalar);

}  // namespace ttnn_cpu
