// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/placement.hpp"

#include <algorithm>

#include "zoo/error.hpp"

namespace zoo::mnist {

Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& grid) {
    validate(config);
    if (batch < 1) {
        fail("mnist::placement_for", "batch is ", batch, "; it must be positive");
    }
    Placement place;
    place.batch = batch;
    place.head = ttnn::L1_MEMORY_CONFIG;
    // A column of cores for each tile of hidden channels, a row for each tile of images.
    const auto columns = static_cast<std::size_t>((config.hidden_size + 31) / 32);
    const auto rows = static_cast<std::size_t>((batch + 31) / 32);
    place.head_grid = ttnn::CoreGrid(std::min(columns, grid.x), std::min(rows, grid.y));
    place.kernel.math_fidelity = tt::tt_metal::MathFidelity::HiFi2;
    place.kernel.math_approx_mode = false;
    place.kernel.packer_l1_acc = true;
    return place;
}

}  // namespace zoo::mnist
