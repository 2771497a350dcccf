// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/codegen/config.hpp"
#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/types.hpp"
#include "zoo/causal/placement.hpp"

namespace zoo::codegen {

// The tuned choices of the optimized version: everything that depends on the chip.
struct Placement : causal::Placement {
    // Of one token a user: a single tile of rows, so that cores share the columns of each matrix.
    struct Programs {
        ttnn::operations::matmul::MatmulProgramConfig qkv_proj;
        ttnn::operations::matmul::MatmulProgramConfig out_proj;
        ttnn::operations::matmul::MatmulProgramConfig fc_in;  // with GELU
        ttnn::operations::matmul::MatmulProgramConfig fc_out;
        ttnn::operations::matmul::MatmulProgramConfig head;
    } step;
};

// Error for a batch that one tile of rows does not hold.
[[nodiscard]] Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& device_grid);

}  // namespace zoo::codegen
