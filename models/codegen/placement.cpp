// SPDX-License-Identifier: Apache-2.0
#include "models/codegen/placement.hpp"

#include "zoo/single_tile_matmul.hpp"

namespace zoo::codegen {

using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& device_grid) {
    Placement place{causal::placement_for(batch, device_grid, "codegen::placement_for"), {}};
    const auto program = [&](std::int64_t in, std::int64_t out,
                             std::optional<UnaryWithParam> activation = std::nullopt) {
        return single_tile_matmul(device_grid, in, out, activation);
    };
    place.step.qkv_proj = program(config.n_embd, 3 * config.n_embd);
    place.step.out_proj = program(config.n_embd, config.n_embd);
    place.step.fc_in = program(config.n_embd, config.inner(), UnaryWithParam(UnaryOpType::GELU_TANH));
    place.step.fc_out = program(config.inner(), config.n_embd);
    place.step.head = program(config.n_embd, config.vocab_size);
    return place;
}

}  // namespace zoo::codegen
