// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ttnn/operations/matmul/matmul.hpp"
#include "ttnn/types.hpp"

namespace zoo {

// The program of a linear layer [in, out] over at most 32 rows with float32 sums, interleaved: each core of the grid has the whole
// tile of rows and its share of the columns.
[[nodiscard]] ttnn::operations::matmul::MatmulMultiCoreReuseMultiCast1DProgramConfig single_tile_matmul(
    const ttnn::CoreCoord& grid, std::int64_t in, std::int64_t out,
    std::optional<ttnn::operations::unary::UnaryWithParam> activation = std::nullopt);

}  // namespace zoo
