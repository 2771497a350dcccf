// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/placement.hpp"

#include "zoo/single_tile_matmul.hpp"

namespace zoo::gpt2 {

using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& device_grid) {
    Placement place{causal::placement_for(batch, device_grid, "gpt2::placement_for"), {}};
    const auto program = [&](std::int64_t in, std::int64_t out,
                             std::optional<UnaryWithParam> activation = std::nullopt) {
        return single_tile_matmul(device_grid, in, out, activation);
    };
    place.step.c_attn = program(config.n_embd, 3 * config.n_embd);
    place.step.attn_c_proj = program(config.n_embd, config.n_embd);
    place.step.c_fc = program(config.n_embd, config.inner(), UnaryWithParam(UnaryOpType::GELU_TANH));
    place.step.mlp_c_proj = program(config.inner(), config.n_embd);
    place.step.head = program(config.n_embd, config.vocab_size);
    return place;
}

}  // namespace zoo::gpt2
