// SPDX-License-Identifier: Apache-2.0
#include "models/gpt2/placement.hpp"

#include "zoo/error.hpp"
#include "zoo/single_tile_matmul.hpp"

namespace zoo::gpt2 {

using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

Placement placement_for(const Config& config, std::int64_t batch, const ttnn::CoreCoord& device_grid) {
    if (batch < 1 || batch > 32) {
        fail("gpt2::placement_for", "batch is ", batch, "; one tile of rows holds 1 to 32 users");
    }
    Placement place;
    place.batch = batch;
    place.grid = ttnn::CoreGrid(device_grid.x, device_grid.y);
    const auto program = [&](std::int64_t in, std::int64_t out,
                             std::optional<UnaryWithParam> activation = std::nullopt) {
        return single_tile_matmul(device_grid, in, out, activation);
    };
    place.step.c_attn = program(config.n_embd, 3 * config.n_embd);
    place.step.attn_c_proj = program(config.n_embd, config.n_embd);
    place.step.c_fc = program(config.n_embd, config.inner(), UnaryWithParam(UnaryOpType::GELU_TANH));
    place.step.mlp_c_proj = program(config.inner(), config.n_embd);
    place.step.head = program(config.n_embd, config.vocab_size);

    // Two phases multiply all the bits of a bfloat8_b weight.
    place.matmul_kernel = {
        .math_fidelity = tt::tt_metal::MathFidelity::HiFi2,
        .math_approx_mode = false,
        .fp32_dest_acc_en = true,
        .packer_l1_acc = true};
    // A bfloat16 destination: GELU of a float32 one costs more than it gives, since the result is bfloat16 anyway.
    place.gelu_kernel = place.matmul_kernel;
    place.gelu_kernel.fp32_dest_acc_en = false;
    place.attention_kernel = {.math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false};
    place.layer_norm_kernel = {
        .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};
    return place;
}

}  // namespace zoo::gpt2
