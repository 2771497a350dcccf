// SPDX-License-Identifier: Apache-2.0
#pragma once

// From the API's unary functions to the kernels'.
#include <span>
#include <string_view>
#include <vector>

#include <ttnn/operations/eltwise/unary/common/unary_op_types.hpp>

#include "core/json_text.hpp"
#include "kernels/sfpu.hpp"

namespace ttnn_cpu {

// Throws for a parameter count that the function does not take. `op` is for the message.
kernels::UnaryOp kernel_function(std::string_view op, const ttnn::operations::unary::EltwiseUnaryWithParam& function);
std::vector<kernels::UnaryOp> kernel_chain(
    std::string_view op, std::span<const ttnn::operations::unary::EltwiseUnaryWithParam> chain);

std::string_view to_string(ttnn::operations::unary::UnaryOpType type);
// For records and program keys.
std::vector<JsonText> describe(std::span<const ttnn::operations::unary::EltwiseUnaryWithParam> chain);

}  // namespace ttnn_cpu
