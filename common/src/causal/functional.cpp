// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal/functional.hpp"

#include <optional>
#include <string>

#include "ttnn/operations/embedding/embedding.hpp"
#include "zoo/op_args.hpp"

namespace zoo::causal::functional {

using ttnn::Tensor;

namespace {

// bfloat16 products keep all their bits in four phases, and sums are float32.
const ttnn::DeviceComputeKernelConfig kAccurate{
    .math_fidelity = tt::tt_metal::MathFidelity::HiFi4, .math_approx_mode = false, .fp32_dest_acc_en = true};

}  // namespace

Tensor linear(const LinearParameters& parameters, const Tensor& x, const char* activation) {
    return zoo::linear(
        x, parameters.weight,
        {.bias = parameters.bias,
         .activation = activation != nullptr ? std::optional<std::string>(activation) : std::nullopt,
         .compute_kernel_config = kAccurate});
}

Tensor layer_norm(double epsilon, const LayerNormParameters& parameters, const Tensor& x) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(epsilon),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .compute_kernel_config = kAccurate});
}

Tensor look_up(const Tensor& ids, const Tensor& table) {
    return ttnn::embedding(ids, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE);
}

}  // namespace zoo::causal::functional
