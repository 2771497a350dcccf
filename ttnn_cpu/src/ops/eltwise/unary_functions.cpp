// SPDX-License-Identifier: Apache-2.0
#include "ops/eltwise/unary_functions.hpp"

#include "core/fatal.hpp"

namespace ttnn_cpu {

using kernels::UnaryFunction;
using kernels::UnaryOp;
using ttnn::operations::unary::EltwiseUnaryWithParam;
using ttnn::operations::unary::UnaryOpType;

namespace {

struct Row {
    UnaryOpType type;
    std::string_view name;
    UnaryFunction function;
    UnaryFunction approximate;  // what a non-zero first parameter selects, where `modes` is set
    int min_parameters;
    int max_parameters;
    bool modes;  // the first parameter chooses the algorithm and is no number of the function
};

constexpr Row plain(UnaryOpType type, std::string_view name, UnaryFunction function) {
    return {type, name, function, function, 0, 0, false};
}

constexpr Row with_parameters(UnaryOpType type, std::string_view name, UnaryFunction function, int count) {
    return {type, name, function, function, count, count, false};
}

constexpr Row with_modes(UnaryOpType type, std::string_view name, UnaryFunction accurate, UnaryFunction approximate) {
    return {type, name, accurate, approximate, 0, 2, true};
}

constexpr Row kRows[] = {
    with_modes(UnaryOpType::EXP, "EXP", UnaryFunction::Exp, UnaryFunction::ExpApprox),
    plain(UnaryOpType::RECIP, "RECIP", UnaryFunction::Reciprocal),
    with_modes(UnaryOpType::GELU, "GELU", UnaryFunction::Gelu, UnaryFunction::GeluApprox),
    plain(UnaryOpType::GELU_TANH, "GELU_TANH", UnaryFunction::GeluTanh),
    plain(UnaryOpType::RELU, "RELU", UnaryFunction::Relu),
    with_modes(UnaryOpType::SQRT, "SQRT", UnaryFunction::Sqrt, UnaryFunction::Sqrt),
    with_modes(UnaryOpType::SIGMOID, "SIGMOID", UnaryFunction::Sigmoid, UnaryFunction::SigmoidApprox),
    with_modes(UnaryOpType::LOG, "LOG", UnaryFunction::Log, UnaryFunction::Log),
    with_modes(UnaryOpType::TANH, "TANH", UnaryFunction::Tanh, UnaryFunction::TanhApprox),
    with_modes(UnaryOpType::LOG2, "LOG2", UnaryFunction::Log2, UnaryFunction::Log2),
    with_modes(UnaryOpType::LOG10, "LOG10", UnaryFunction::Log10, UnaryFunction::Log10),
    plain(UnaryOpType::ABS, "ABS", UnaryFunction::Abs),
    plain(UnaryOpType::SIGN, "SIGN", UnaryFunction::Sign),
    plain(UnaryOpType::SQUARE, "SQUARE", UnaryFunction::Square),
    plain(UnaryOpType::EQZ, "EQZ", UnaryFunction::EqualZero),
    plain(UnaryOpType::NEZ, "NEZ", UnaryFunction::NotEqualZero),
    plain(UnaryOpType::GTZ, "GTZ", UnaryFunction::GreaterZero),
    plain(UnaryOpType::LTZ, "LTZ", UnaryFunction::LessZero),
    plain(UnaryOpType::GEZ, "GEZ", UnaryFunction::GreaterEqualZero),
    plain(UnaryOpType::LEZ, "LEZ", UnaryFunction::LessEqualZero),
    with_parameters(UnaryOpType::RELU_MAX, "RELU_MAX", UnaryFunction::ReluMax, 1),
    with_parameters(UnaryOpType::RELU_MIN, "RELU_MIN", UnaryFunction::ReluMin, 1),
    with_parameters(UnaryOpType::POWER, "POWER", UnaryFunction::Power, 1),
    with_parameters(UnaryOpType::LEAKY_RELU, "LEAKY_RELU", UnaryFunction::LeakyRelu, 1),
    with_modes(UnaryOpType::RSQRT, "RSQRT", UnaryFunction::Rsqrt, UnaryFunction::Rsqrt),
    plain(UnaryOpType::RELU6, "RELU6", UnaryFunction::Relu6),
    with_modes(UnaryOpType::ERF, "ERF", UnaryFunction::Erf, UnaryFunction::Erf),
    with_parameters(UnaryOpType::RSUB, "RSUB", UnaryFunction::RsubScalar, 1),
    plain(UnaryOpType::SILU, "SILU", UnaryFunction::Silu),
    with_parameters(UnaryOpType::SOFTPLUS, "SOFTPLUS", UnaryFunction::Softplus, 2),
    plain(UnaryOpType::IDENTITY, "IDENTITY", UnaryFunction::Identity),
    plain(UnaryOpType::NEG, "NEG", UnaryFunction::Neg),
    with_parameters(UnaryOpType::ADD_UNARY_SFPU, "ADD_UNARY_SFPU", UnaryFunction::AddScalar, 1),
    with_parameters(UnaryOpType::SUB_UNARY_SFPU, "SUB_UNARY_SFPU", UnaryFunction::SubScalar, 1),
    with_parameters(UnaryOpType::MUL_UNARY_SFPU, "MUL_UNARY_SFPU", UnaryFunction::MulScalar, 1),
    with_parameters(UnaryOpType::DIV_UNARY_SFPU, "DIV_UNARY_SFPU", UnaryFunction::MulScalar, 1),
    plain(UnaryOpType::FLOOR, "FLOOR", UnaryFunction::Floor),
    plain(UnaryOpType::CEIL, "CEIL", UnaryFunction::Ceil),
    plain(UnaryOpType::TRUNC, "TRUNC", UnaryFunction::Trunc),
    with_modes(UnaryOpType::MISH, "MISH", UnaryFunction::Mish, UnaryFunction::MishApprox),
    with_parameters(UnaryOpType::HARDTANH, "HARDTANH", UnaryFunction::Clamp, 2),
    plain(UnaryOpType::HARDSIGMOID, "HARDSIGMOID", UnaryFunction::Hardsigmoid),
    plain(UnaryOpType::HARDSWISH, "HARDSWISH", UnaryFunction::Hardswish),
    with_parameters(UnaryOpType::CLAMP_TSS, "CLAMP_TSS", UnaryFunction::Clamp, 2),
};

const Row& row_of(UnaryOpType type) {
    for (const Row& row : kRows) {
        if (row.type == type) {
            return row;
        }
    }
    TT_THROW("Unary op type {} is not one that the embedded provider has", static_cast<int>(type));
}

std::vector<float> parameters_of(const EltwiseUnaryWithParam& function) {
    return std::visit(
        [](const auto& values) { return std::vector<float>(values.begin(), values.end()); }, function.get_params());
}

}  // namespace

UnaryOp kernel_function(std::string_view op, const EltwiseUnaryWithParam& function) {
    const Row& row = row_of(function.type());
    const std::vector<float> parameters = parameters_of(function);
    const auto count = static_cast<int>(parameters.size());
    TT_FATAL(
        count >= row.min_parameters && count <= row.max_parameters,
        "{}: unary function {} takes {} to {} parameters, got {}", op, row.name, row.min_parameters, row.max_parameters,
        count);
    if (row.modes) {
        // The sigmoid's first parameter is a vector mode.
        const bool approximate =
            row.type == UnaryOpType::SIGMOID ? count > 1 && parameters[1] != 0.0f : count > 0 && parameters[0] != 0.0f;
        return {.function = approximate ? row.approximate : row.function};
    }
    UnaryOp result{.function = row.function};
    if (count > 0) {
        result.param0 = row.type == UnaryOpType::DIV_UNARY_SFPU ? 1.0f / parameters[0] : parameters[0];
    }
    if (count > 1) {
        result.param1 = parameters[1];
    }
    return result;
}

std::vector<UnaryOp> kernel_chain(std::string_view op, std::span<const EltwiseUnaryWithParam> chain) {
    std::vector<UnaryOp> result;
    for (const EltwiseUnaryWithParam& function : chain) {
        result.push_back(kernel_function(op, function));
    }
    return result;
}

std::string_view to_string(UnaryOpType type) { return row_of(type).name; }

std::vector<JsonText> describe(std::span<const EltwiseUnaryWithParam> chain) {
    std::vector<JsonText> result;
    for (const EltwiseUnaryWithParam& function : chain) {
        result.push_back(
            JsonText().field("op_type", to_string(function.type())).field("params", parameters_of(function)));
    }
    return result;
}

}  // namespace ttnn_cpu
