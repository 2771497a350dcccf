// SPDX-License-Identifier: Apache-2.0
#include "zoo/op_args.hpp"

namespace zoo {

namespace {

// The API takes optionals of const types; a value of the plain optional does not convert by itself.
template <typename T>
std::optional<const T> as_const(const std::optional<T>& value) {
    return value ? std::optional<const T>(*value) : std::nullopt;
}

std::optional<const ttnn::Activation> activation_of(const std::optional<std::string>& name) {
    return name ? std::optional<const ttnn::Activation>(*name) : std::nullopt;
}

}  // namespace

ttnn::Tensor matmul(const ttnn::Tensor& a, const ttnn::Tensor& b, const MatmulArgs& args) {
    return ttnn::matmul(
        a, b, args.transpose_a, args.transpose_b, as_const(args.memory_config), as_const(args.dtype),
        as_const(args.program_config), activation_of(args.activation), as_const(args.compute_kernel_config),
        as_const(args.core_grid));
}

ttnn::Tensor linear(const ttnn::Tensor& input, const ttnn::Tensor& weight, const LinearArgs& args) {
    return ttnn::linear(
        input, weight, as_const(args.bias),
        /*transpose_a=*/false,
        /*transpose_b=*/false, as_const(args.memory_config), as_const(args.dtype), as_const(args.program_config),
        activation_of(args.activation), as_const(args.compute_kernel_config), as_const(args.core_grid));
}

ttnn::Tensor layer_norm(const ttnn::Tensor& input, const LayerNormArgs& args) {
    return ttnn::layer_norm(
        input, args.epsilon, as_const(args.weight), as_const(args.bias), as_const(args.residual), args.memory_config,
        as_const(args.program_config), as_const(args.compute_kernel_config));
}

}  // namespace zoo
