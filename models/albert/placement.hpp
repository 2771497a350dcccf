// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/albert/config.hpp"
#include "zoo/encoder/placement.hpp"

namespace zoo::albert {

// Where the layers' activations lie and how their work is cut, and the way there from the narrow embeddings.
struct Placement : encoder::Placement {
    ttnn::operations::matmul::MatmulProgramConfig embedding_hidden_mapping;
};

// `grid` is the device's compute_with_storage_grid_size(). Errors are those of encoder::placement_for.
[[nodiscard]] Placement placement_for(
    const Config& config, std::int64_t batch, std::int64_t sequence, const ttnn::CoreCoord& grid);

}  // namespace zoo::albert
