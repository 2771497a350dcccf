// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal/placement.hpp"

#include "zoo/error.hpp"

namespace zoo::causal {

Placement placement_for(std::int64_t batch, const ttnn::CoreCoord& device_grid, std::string_view where) {
    if (batch < 1 || batch > 32) {
        fail(where, "batch is ", batch, "; one tile of rows holds 1 to 32 users");
    }
    Placement place;
    place.batch = batch;
    place.grid = ttnn::CoreGrid(device_grid.x, device_grid.y);
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

}  // namespace zoo::causal
