// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "models/bert/config.hpp"
#include "zoo/encoder/placement.hpp"

namespace zoo::bert {

using encoder::Placement;

// `grid` is the device's compute_with_storage_grid_size(). Errors are those of encoder::placement_for.
[[nodiscard]] inline Placement placement_for(
    const Config& config, std::int64_t batch, std::int64_t sequence, const ttnn::CoreCoord& grid) {
    validate(config);
    return encoder::placement_for("bert::placement_for", config, batch, sequence, grid);
}

}  // namespace zoo::bert
