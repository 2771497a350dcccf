// SPDX-License-Identifier: Apache-2.0
#include "zoo/causal/optimized.hpp"

#include <optional>
#include <string>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "zoo/op_args.hpp"

namespace zoo::causal::optimized {

using ttnn::Tensor;

bool is_single_tile(const Tensor& hidden) { return hidden.padded_shape()[2] == 32; }

Tensor project(const LinearParameters& parameters, const Placement& place, const Tensor& x, const Step& step) {
    LinearArgs args{
        .bias = parameters.bias,
        .memory_config = place.activations,
        .compute_kernel_config = step.activation != nullptr ? place.gelu_kernel : place.matmul_kernel};
    if (step.program != nullptr) {
        args.program_config = *step.program;
    } else {
        args.core_grid = place.grid;
        args.activation = step.activation != nullptr ? std::optional<std::string>(step.activation) : std::nullopt;
    }
    return zoo::linear(x, parameters.weight, args);
}

Tensor linear(const LinearParameters& parameters, const Placement& place, Tensor x, const Step& step) {
    Tensor result = project(parameters, place, x, step);
    ttnn::deallocate(x);
    return result;
}

Tensor layer_norm(double epsilon, const LayerNormParameters& parameters, const Placement& place, const Tensor& x) {
    return zoo::layer_norm(
        x, {.epsilon = static_cast<float>(epsilon),
            .weight = parameters.weight,
            .bias = parameters.bias,
            .memory_config = place.activations,
            .compute_kernel_config = place.layer_norm_kernel});
}

Tensor look_up(const Tensor& ids, const Tensor& table, const Placement& place) {
    return ttnn::embedding(
        ids, table, /*pad_token=*/std::nullopt, ttnn::Layout::TILE, ttnn::prim::EmbeddingsType::GENERIC, std::nullopt,
        place.activations);
}

Tensor add(const Placement& place, Tensor a, Tensor b) {
    Tensor sum = ttnn::add(a, b, std::nullopt, place.activations);
    ttnn::deallocate(a);
    ttnn::deallocate(b);
    return sum;
}

StepOutputs pick(Tensor scores) {
    const StepOutputs outputs = pick_likeliest(scores);
    ttnn::deallocate(scores);
    return outputs;
}

Tensor take_last(Tensor hidden, std::int64_t index) {
    Tensor last = take_token(hidden, index);
    ttnn::deallocate(hidden);
    return last;
}

void deallocate(Heads& heads) {
    ttnn::deallocate(heads.query);
    ttnn::deallocate(heads.key);
    ttnn::deallocate(heads.value);
}

}  // namespace zoo::causal::optimized
