// SPDX-License-Identifier: Apache-2.0
#include "models/albert/placement.hpp"

namespace zoo::albert {

Placement placement_for(const Config& config, std::int64_t batch, std::int64_t sequence, const ttnn::CoreCoord& grid) {
    validate(config);
    const auto layers = encoder::placement_for("albert::placement_for", config, batch, sequence, grid);
    return {layers, encoder::projection_to_hidden(layers, config.embedding_size, config.hidden_size)};
}

}  // namespace zoo::albert
