// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/codegen/preprocess.hpp"
#include "ttnn/types.hpp"

// Rotary positions, the same for both TTNN versions: bfloat16 tables, neighbours turned in pairs.
namespace zoo::codegen {

struct StepAngles {
    ttnn::Tensor cos;
    ttnn::Tensor sin;
};

// positions [1, rows], UINT32. Of a sequence: [1, 1, sequence, head_size], interleaved.
[[nodiscard]] StepAngles sequence_angles(const RotaryParameters& parameters, const ttnn::Tensor& positions);
// Of one token a user: [1, users, 1, head_size], one user a core.
[[nodiscard]] StepAngles token_angles(const RotaryParameters& parameters, const ttnn::Tensor& positions);

// x [1, heads, sequence, head_size], or for a step [1, users, heads, head_size], one user a core.
[[nodiscard]] ttnn::Tensor rotate(const ttnn::Tensor& x, const StepAngles& angles, const ttnn::Tensor& turn, bool step);

}  // namespace zoo::codegen
