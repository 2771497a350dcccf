// SPDX-License-Identifier: Apache-2.0
// Functions of one tensor, and of two or a tensor and a number.
#include <cctype>
#include <map>
#include <regex>

#include "conformance/golden_calls.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

namespace zoo::conformance {

using ttnn::DataType;
using ttnn::Tensor;

namespace {

using Groups = std::vector<std::string>;

// Elementwise ops have their operands' type unless the case names another one.
std::optional<const DataType> named_output_type(const GoldenCase& golden) {
    const std::string name = golden.text("dtype_out", golden.text("output_dtype"));
    return name.empty() ? std::nullopt : std::optional<const DataType>(data_type(name));
}

using ttnn::operations::unary::EltwiseUnaryWithParam;

// Activations of a binary op: "relu", ["relu", "gelu"], or what UnaryWithParam prints.
std::vector<EltwiseUnaryWithParam> activations(const GoldenCase& golden, const char* argument) {
    const std::string text = golden.text(argument);
    std::vector<EltwiseUnaryWithParam> result;
    const std::regex word("[A-Za-z][A-Za-z0-9_]*");
    for (auto match = std::sregex_iterator(text.begin(), text.end(), word); match != std::sregex_iterator(); ++match) {
        const std::string name = match->str();
        if (name != "UnaryWithParam" && name != "op_type" && name != "UnaryOpType" && name != "None") {
            result.emplace_back(unary_type(name));
        }
    }
    return result;
}

Tensor binary(const GoldenCase& golden, const std::string& op, const Tensor& a, const auto& b) {
    const auto dtype = named_output_type(golden);
    const auto post = activations(golden, golden.has("activations") ? "activations" : "activation");
    const auto lhs = activations(golden, "input_tensor_a_activations");
    const auto rhs = activations(golden, "input_tensor_b_activations");
    const auto call = [&](const auto& function) { return function(a, b, dtype, post, lhs, rhs); };
#define ZOO_BINARY(name)                                                                                \
    [](const Tensor& x, const auto& y, const auto& type, const auto& p, const auto& l, const auto& r) { \
        return ttnn::name(x, y, type, std::nullopt, std::nullopt, p, l, r);                             \
    }
    return op == "add"        ? call(ZOO_BINARY(add))
           : op == "subtract" ? call(ZOO_BINARY(subtract))
           : op == "multiply" ? call(ZOO_BINARY(multiply))
                              : call(ZOO_BINARY(divide));
#undef ZOO_BINARY
}

}  // namespace

ttnn::operations::unary::UnaryOpType unary_type(const std::string& name) {
    using ttnn::operations::unary::UnaryOpType;
    static const std::map<std::string, UnaryOpType> kTypes{{"RELU", UnaryOpType::RELU},
                                                           {"RELU6", UnaryOpType::RELU6},
                                                           {"LEAKY_RELU", UnaryOpType::LEAKY_RELU},
                                                           {"SILU", UnaryOpType::SILU},
                                                           {"MISH", UnaryOpType::MISH},
                                                           {"GELU", UnaryOpType::GELU},
                                                           {"SIGMOID", UnaryOpType::SIGMOID},
                                                           {"TANH", UnaryOpType::TANH},
                                                           {"EXP", UnaryOpType::EXP},
                                                           {"SQRT", UnaryOpType::SQRT},
                                                           {"SQUARE", UnaryOpType::SQUARE},
                                                           {"ABS", UnaryOpType::ABS},
                                                           {"NEG", UnaryOpType::NEG},
                                                           {"HARDSWISH", UnaryOpType::HARDSWISH},
                                                           {"HARDSIGMOID", UnaryOpType::HARDSIGMOID}};
    std::string upper = name;
    for (char& letter : upper) {
        letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
    }
    const auto found = kTypes.find(upper);
    if (found == kTypes.end()) {
        throw UnknownCase("activation '" + name + "' is not known");
    }
    return found->second;
}

std::vector<float> call_unary(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    using Function = std::function<Tensor(const Tensor&)>;
    using ttnn::operations::unary::GeluVariant;
    static const std::map<std::string, Function> kFunctions{
        {"abs", [](const Tensor& x) { return ttnn::abs(x); }},
        {"neg", [](const Tensor& x) { return ttnn::neg(x); }},
        {"exp", [](const Tensor& x) { return ttnn::exp(x); }},
        {"exp_fast", [](const Tensor& x) { return ttnn::exp(x, true); }},
        {"log", [](const Tensor& x) { return ttnn::log(x); }},
        {"log2", [](const Tensor& x) { return ttnn::log2(x); }},
        {"log10", [](const Tensor& x) { return ttnn::log10(x); }},
        {"sqrt", [](const Tensor& x) { return ttnn::sqrt(x); }},
        {"rsqrt", [](const Tensor& x) { return ttnn::rsqrt(x); }},
        {"square", [](const Tensor& x) { return ttnn::square(x); }},
        {"reciprocal", [](const Tensor& x) { return ttnn::reciprocal(x); }},
        {"erf", [](const Tensor& x) { return ttnn::erf(x); }},
        {"erf_fast", [](const Tensor& x) { return ttnn::erf(x, true); }},
        {"log_fast", [](const Tensor& x) { return ttnn::log(x, true); }},
        {"sigmoid_accurate", [](const Tensor& x) { return ttnn::sigmoid(x); }},
        {"sigmoid_fast",
         [](const Tensor& x) {
             using ttnn::operations::unary::SigmoidMode;
             using ttnn::operations::unary::VecMode;
             return ttnn::sigmoid(x, static_cast<int>(VecMode::RC), SigmoidMode::FAST_APPROXIMATE);
         }},
        {"sqrt_fast", [](const Tensor& x) { return ttnn::sqrt(x, true); }},
        {"rsqrt_fast", [](const Tensor& x) { return ttnn::rsqrt(x, true); }},
        {"mish_fast", [](const Tensor& x) { return ttnn::mish(x, true); }},
        {"identity", [](const Tensor& x) { return ttnn::identity(x); }},
        {"swish", [](const Tensor& x) { return ttnn::swish(x); }},
        {"eqz", [](const Tensor& x) { return ttnn::eqz(x); }},
        {"nez", [](const Tensor& x) { return ttnn::nez(x); }},
        {"gtz", [](const Tensor& x) { return ttnn::gtz(x); }},
        {"ltz", [](const Tensor& x) { return ttnn::ltz(x); }},
        {"gez", [](const Tensor& x) { return ttnn::gez(x); }},
        {"lez", [](const Tensor& x) { return ttnn::lez(x); }},
        {"relu", [](const Tensor& x) { return ttnn::relu(x); }},
        {"relu6", [](const Tensor& x) { return ttnn::relu6(x); }},
        {"gelu", [](const Tensor& x) { return ttnn::gelu(x); }},
        {"gelu_accurate", [](const Tensor& x) { return ttnn::gelu(x); }},
        {"gelu_fast", [](const Tensor& x) { return ttnn::gelu(x, true); }},
        {"gelu_tanh", [](const Tensor& x) { return ttnn::gelu(x, GeluVariant::TANH); }},
        {"tanh", [](const Tensor& x) { return ttnn::tanh(x); }},
        {"tanh_fast", [](const Tensor& x) { return ttnn::tanh(x, std::nullopt, std::nullopt, true); }},
        {"sigmoid", [](const Tensor& x) { return ttnn::sigmoid(x); }},
        {"silu", [](const Tensor& x) { return ttnn::silu(x); }},
        {"mish", [](const Tensor& x) { return ttnn::mish(x); }},
        {"hardsigmoid", [](const Tensor& x) { return ttnn::hardsigmoid(x); }},
        {"hardswish", [](const Tensor& x) { return ttnn::hardswish(x); }},
        {"sign", [](const Tensor& x) { return ttnn::sign(x); }},
        {"floor", [](const Tensor& x) { return ttnn::floor(x); }},
        {"ceil", [](const Tensor& x) { return ttnn::ceil(x); }},
        {"trunc", [](const Tensor& x) { return ttnn::trunc(x); }},
    };
    // A number at the end of the name is the function's parameter: leaky_relu_0p1, power_2.
    std::string name = groups[0];
    std::optional<float> parameter;
    if (std::smatch parts; std::regex_match(name, parts, std::regex("([a-z_0-9]+?)_(m?)([0-9]+)(?:p([0-9]+))?"))) {
        const float value = std::stof(parts[3].str() + "." + (parts[4].matched ? parts[4].str() : "0"));
        parameter = parts[2].length() > 0 ? -value : value;
        name = parts[1].str();
    }
    for (const char* argument : {"negative_slope", "slope", "exponent", "parameter", "param", "alpha", "scalar"}) {
        if (golden.has(argument)) {
            parameter = static_cast<float>(golden.number(argument, 0));
        }
    }
    if (golden.flag("fast_and_approximate_mode", golden.flag("approx", golden.flag("fast", false)))) {
        name += "_fast";
    }
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    const auto limit = [&](const char* argument, float otherwise) {
        return static_cast<float>(golden.number(argument, otherwise));
    };
    if (name == "leaky_relu") {
        return values(ttnn::leaky_relu(input, parameter.value_or(0.01F)));
    }
    if (name == "pow" || name == "power") {
        return values(ttnn::power(input, parameter.value_or(2.0F)));
    }
    if (name == "relu_max" || name == "relu_min") {
        const float bound = parameter.value_or(0.0F);
        return values(name == "relu_max" ? ttnn::relu_max(input, bound) : ttnn::relu_min(input, bound));
    }
    if (name == "softplus") {
        return values(ttnn::softplus(input, limit("beta", 1.0F), limit("threshold", 20.0F)));
    }
    if (name == "clamp" || name == "clip" || name == "hardtanh") {
        const float low = limit("min", limit("min_val", -1.0F));
        const float high = limit("max", limit("max_val", 1.0F));
        return values(name == "hardtanh" ? ttnn::hardtanh(input, low, high) : ttnn::clamp_tss(input, low, high));
    }
    const auto found = kFunctions.find(name);
    if (found == kFunctions.end()) {
        throw UnknownCase("op '" + groups[0] + "' is not known");
    }
    return values(found->second(input));
}

std::vector<float> call_binary(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor a = to_device(golden, 0, device, input_type(golden, 0));
    const Tensor b = to_device(golden, 1, device, input_type(golden, 1));
    return values(binary(golden, groups[0], a, b));
}

std::vector<float> call_binary_scalar(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor a = to_device(golden, 0, device, input_type(golden, 0));
    // "add by 0.5", or the number as an argument.
    const float b =
        groups.size() > 1 && !groups[1].empty() ? std::stof(groups[1]) : static_cast<float>(golden.number("scalar", 1));
    return values(binary(golden, groups[0], a, ttnn::operations::unary::ScalarVariant(b)));
}

}  // namespace zoo::conformance
