// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string_view>
#include <utility>

#include <ttnn/operations/eltwise/unary/common/unary_op_utils.hpp>

#include "core/fatal.hpp"

namespace ttnn::operations::unary::utils {

UnaryWithParam string_to_unary_with_param(const std::string& name) {
    using Type = UnaryOpType;
    constexpr float kAccurate = 0.0F;
    constexpr float kApproximate = 1.0F;
    constexpr float kWholeTile = static_cast<float>(VecMode::RC);
    static const std::array<std::pair<std::string_view, UnaryWithParam>, 24> names = {{
        {"relu", {Type::RELU}},
        {"relu6", {Type::RELU6}},
        {"gelu", {Type::GELU, kAccurate}},
        {"gelu_approx", {Type::GELU, kApproximate}},
        {"gelu_tanh", {Type::GELU_TANH}},
        {"silu", {Type::SILU}},
        {"sigmoid", {Type::SIGMOID, kWholeTile, kAccurate}},
        {"sigmoid_approx", {Type::SIGMOID, kWholeTile, kApproximate}},
        {"hardsigmoid", {Type::HARDSIGMOID}},
        {"hardtanh", {Type::HARDTANH, -1.0F, 1.0F}},
        {"tanh", {Type::TANH, kAccurate}},
        {"sqrt", {Type::SQRT, kAccurate}},
        {"rsqrt", {Type::RSQRT, kAccurate}},
        {"exp", {Type::EXP, kApproximate}},
        {"recip", {Type::RECIP}},
        {"log", {Type::LOG, kApproximate}},
        {"log2", {Type::LOG2, kApproximate}},
        {"log10", {Type::LOG10, kApproximate}},
        {"abs", {Type::ABS}},
        {"sign", {Type::SIGN}},
        {"square", {Type::SQUARE}},
        {"softplus", {Type::SOFTPLUS, std::vector<float>{1.0F, 20.0F, 0.0F}}},
        {"mish", {Type::MISH, kAccurate}},
        {"mish_approx", {Type::MISH, kApproximate}},
    }};
    for (const auto& [known, unary] : names) {
        if (known == name) {
            return unary;
        }
    }
    TT_THROW("Unknown unary op: {}", name);
}

}  // namespace ttnn::operations::unary::utils
