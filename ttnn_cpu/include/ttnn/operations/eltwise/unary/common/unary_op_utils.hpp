// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ttnn/operations/eltwise/unary/common/unary_op_types.hpp"

namespace ttnn::operations::unary::utils {

// The function behind a name that the activation argument of an op takes: "relu", "gelu", "silu", ... Throws for
// others.
UnaryWithParam string_to_unary_with_param(const std::string& name);

}  // namespace ttnn::operations::unary::utils
