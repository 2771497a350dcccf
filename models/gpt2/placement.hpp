// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/gpt2/config.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/types.hpp"
#include "zoo/causal/placement.hpp"

namespace zoo::gpt2 {

// The tuned choices of the optimized version: everything that depends on the chip.
struct Placement : causal::Placement {
    // Of one token a user: a single tile of rows, so that cores share the columns of each matrix.
    struct Programs {
        ttnn::operations::matmul::MatmulProgramConfig c_attn;
        ttnn::operations::matmul::MatmulProgramConfig attn_c_proj;
        ttnn::operations::matmul::MatmulProgramConfig c_fc;  // with GELU
        ttnn::operations::matmul::MatmulProgramConfig mlp_c_proj;
        ttnn::operations::matmul::MatmulProgramConfig head;
    } step;
};

// Error for a batch that one tile of rows does not hold.
[[nodiscard]] Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& device_grid);

}  // namespace zoo::gpt2
