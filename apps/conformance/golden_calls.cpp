// SPDX-License-Identifier: Apache-2.0
#include "conformance/golden_calls.hpp"

#include <map>
#include <regex>

#include "ttnn/operations/copy/typecast/typecast.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/normalization/rmsnorm/rmsnorm.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/reduction/argmax/argmax.hpp"
#include "ttnn/operations/reduction/generic/generic_reductions.hpp"
#include "ttnn/operations/transformer/attention_softmax/attention_softmax.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/sdpa/sdpa.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/op_args.hpp"

namespace zoo::conformance {

using ttnn::DataType;
using ttnn::Tensor;

namespace {

using Groups = std::vector<std::string>;

// The data type of an input that the case may name as dtype0, dtype1 ... or once for all as dtype.
DataType input_type(const GoldenCase& golden, std::size_t index) {
    const std::string common = golden.text("dtype", "BFLOAT16");
    return data_type(golden.text("dtype" + std::to_string(index), common));
}

std::vector<float> values(const Tensor& tensor) { return tensor.to_vector<float>(); }

tt::tt_metal::MathFidelity fidelity(const std::string& name) {
    using tt::tt_metal::MathFidelity;
    const std::map<std::string, MathFidelity> names{
        {"LoFi", MathFidelity::LoFi},
        {"HiFi2", MathFidelity::HiFi2},
        {"HiFi3", MathFidelity::HiFi3},
        {"HiFi4", MathFidelity::HiFi4}};
    const auto found = names.find(name);
    if (found == names.end()) {
        throw UnknownCase("math fidelity '" + name + "' is not known");
    }
    return found->second;
}

// Only when the case names one of its fields: giving a config replaces all defaults.
std::optional<ttnn::DeviceComputeKernelConfig> compute_config(const GoldenCase& golden) {
    if (!golden.has("fidelity") && !golden.has("fp32_dest_acc_en") && !golden.has("packer_l1_acc")) {
        return std::nullopt;
    }
    ttnn::DeviceComputeKernelConfig config;
    config.math_fidelity = fidelity(golden.text("fidelity", "LoFi"));
    config.math_approx_mode = golden.flag("math_approx_mode", false);
    config.fp32_dest_acc_en = golden.flag("fp32_dest_acc_en", false);
    config.packer_l1_acc = golden.flag("packer_l1_acc", false);
    return config;
}

// One dimension, or a list of them; null is all of them.
std::optional<std::variant<int, int64_t, ttsl::SmallVector<int>>> dimensions(const GoldenCase& golden) {
    const std::string text = golden.text("dim", golden.has("dim") ? "" : "-1");
    if (text.empty()) {
        return std::nullopt;
    }
    const std::regex number("-?[0-9]+");
    ttsl::SmallVector<int> result;
    for (auto match = std::sregex_iterator(text.begin(), text.end(), number); match != std::sregex_iterator();
         ++match) {
        result.push_back(std::stoi(match->str()));
    }
    return result;
}

std::optional<DataType> output_type(const GoldenCase& golden) {
    const std::string name = golden.text("dtype_out", golden.text("dtype"));
    return name.empty() ? std::nullopt : std::optional(data_type(name));
}

}  // namespace

DataType data_type(const std::string& name) {
    const std::map<std::string, DataType> names{
        {"BFLOAT16", DataType::BFLOAT16},
        {"FLOAT32", DataType::FLOAT32},
        {"BFLOAT8_B", DataType::BFLOAT8_B},
        {"BFLOAT4_B", DataType::BFLOAT4_B}};
    const auto found = names.find(name);
    if (found == names.end()) {
        throw UnknownCase("data type '" + name + "' is not known");
    }
    return found->second;
}

Tensor to_device(
    const GoldenCase& golden, std::size_t index, ttnn::MeshDevice& device, DataType dtype, ttnn::Layout layout) {
    return from_host(golden.input(index), {.dtype = dtype, .layout = layout}, &device);
}

std::vector<float> call_host_pack(const GoldenCase& golden, const Groups&, ttnn::MeshDevice&) {
    return values(from_host(golden.input(0), {.dtype = data_type(golden.text("dtype", "BFLOAT16"))}));
}

std::vector<float> call_typecast(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    // The published files say the source in the name of the case alone: format.typecast.BFLOAT16_to_BFLOAT8_B.wide
    std::smatch match;
    const std::string& name = golden.name();
    const bool named = std::regex_search(name, match, std::regex("([A-Z][A-Z0-9_]*)_to_[A-Z]"));
    const Tensor input =
        to_device(golden, 0, device, data_type(golden.text("from", named ? match[1].str() : "BFLOAT16")));
    return values(ttnn::typecast(input, data_type(golden.text("to"))));
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
        {"sqrt_fast", [](const Tensor& x) { return ttnn::sqrt(x, true); }},
        {"rsqrt_fast", [](const Tensor& x) { return ttnn::rsqrt(x, true); }},
        {"mish_fast", [](const Tensor& x) { return ttnn::mish(x, true); }},
        {"identity", [](const Tensor& x) { return ttnn::identity(x); }},
        {"swish", [](const Tensor& x) { return ttnn::swish(x); }},
        {"softplus", [](const Tensor& x) { return ttnn::softplus(x, 1.0F, 20.0F); }},
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
        {"hardtanh", [](const Tensor& x) { return ttnn::hardtanh(x); }},
        {"sign", [](const Tensor& x) { return ttnn::sign(x); }},
        {"floor", [](const Tensor& x) { return ttnn::floor(x); }},
        {"ceil", [](const Tensor& x) { return ttnn::ceil(x); }},
        {"trunc", [](const Tensor& x) { return ttnn::trunc(x); }},
    };
    Function function;
    std::smatch slope;
    if (const auto found = kFunctions.find(groups[0]); found != kFunctions.end()) {
        function = found->second;
    } else if (std::regex_match(groups[0], slope, std::regex("leaky_relu_([0-9]+)p([0-9]+)"))) {
        const float value = std::stof(slope[1].str() + "." + slope[2].str());
        function = [value](const Tensor& x) { return ttnn::leaky_relu(x, value); };
    } else {
        throw UnknownCase("op '" + groups[0] + "' is not known");
    }
    return values(function(to_device(golden, 0, device, input_type(golden, 0))));
}

std::vector<float> call_binary(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor a = to_device(golden, 0, device, input_type(golden, 0));
    const Tensor b = to_device(golden, 1, device, input_type(golden, 1));
    if (groups[0] == "add") {
        return values(ttnn::add(a, b));
    }
    if (groups[0] == "subtract") {
        return values(ttnn::subtract(a, b));
    }
    return values(groups[0] == "multiply" ? ttnn::multiply(a, b) : ttnn::divide(a, b));
}

std::vector<float> call_binary_scalar(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor a = to_device(golden, 0, device, input_type(golden, 0));
    const float b = std::stof(groups[1]);
    if (groups[0] == "add") {
        return values(ttnn::add(a, b));
    }
    if (groups[0] == "subtract") {
        return values(ttnn::subtract(a, b));
    }
    return values(groups[0] == "multiply" ? ttnn::multiply(a, b) : ttnn::divide(a, b));
}

std::vector<float> call_matmul(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const Tensor a = to_device(golden, 0, device, input_type(golden, 0));
    const Tensor b = to_device(golden, 1, device, input_type(golden, 1));
    return values(matmul(
        a, b,
        {.transpose_a = golden.flag("transpose_a", false),
         .transpose_b = golden.flag("transpose_b", false),
         .dtype = output_type(golden),
         .compute_kernel_config = compute_config(golden)}));
}

std::vector<float> call_linear(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const Tensor a = to_device(golden, 0, device, input_type(golden, 0));
    const Tensor b = to_device(golden, 1, device, input_type(golden, 1));
    // These cases were made with the whole grid given, which fuses the activation and makes LoFi the default.
    const ttnn::CoreCoord grid = device.compute_with_storage_grid_size();
    LinearArgs args{
        .dtype = output_type(golden),
        .compute_kernel_config = compute_config(golden),
        .core_grid = ttnn::CoreGrid(grid.x, grid.y)};
    if (golden.input_count() > 2) {
        args.bias = to_device(golden, 2, device, input_type(golden, 2));
    }
    if (const std::string activation = golden.text("activation"); !activation.empty()) {
        args.activation = activation;
    }
    return values(linear(a, b, args));
}

std::vector<float> call_softmax(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    const bool stable = golden.flag("numeric_stable", true);
    return values(ttnn::softmax(input, std::stoi(groups[0]), std::nullopt, std::nullopt, stable));
}

std::vector<float> call_layer_norm(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    const bool residual = golden.op().ends_with(" with residual");
    const std::size_t first = residual ? 2 : 1;
    LayerNormArgs args{.epsilon = static_cast<float>(golden.number("epsilon", 1e-12))};
    if (residual) {
        args.residual = to_device(golden, 1, device, input_type(golden, 0));
    }
    if (golden.input_count() > first) {
        args.weight = to_device(golden, first, device);
    }
    if (golden.input_count() > first + 1) {
        args.bias = to_device(golden, first + 1, device);
    }
    if (golden.op().starts_with("rms_norm")) {
        return values(
            ttnn::rms_norm(input, args.epsilon, args.weight, args.bias, args.residual, std::nullopt, std::nullopt));
    }
    return values(layer_norm(input, args));
}

std::vector<float> call_reduce(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    const auto dim = dimensions(golden);
    const bool keepdim = golden.flag("keepdim", true);
    if (groups[0] == "sum") {
        return values(ttnn::sum(input, dim, keepdim));
    }
    if (groups[0] == "mean") {
        return values(ttnn::mean(input, dim, keepdim));
    }
    return values(groups[0] == "max" ? ttnn::max(input, dim, keepdim) : ttnn::min(input, dim, keepdim));
}

std::vector<float> call_argmax(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR);
    const std::vector<std::uint32_t> indices = ttnn::argmax(input, std::stoi(groups[0])).to_vector<std::uint32_t>();
    return {indices.begin(), indices.end()};
}

std::vector<float> call_embedding(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const HostTensor& ids = golden.input(0);
    const std::vector<std::uint32_t> indices(ids.data.begin(), ids.data.end());
    const Tensor weight = to_device(golden, 1, device, DataType::BFLOAT16, ttnn::Layout::ROW_MAJOR);
    const ttnn::Layout layout = golden.op().ends_with("TILE") ? ttnn::Layout::TILE : ttnn::Layout::ROW_MAJOR;
    return values(ttnn::embedding(from_ids(indices, ids.shape, &device), weight, std::nullopt, layout));
}

std::vector<float> call_split_heads(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    const auto heads = static_cast<std::uint32_t>(golden.number("num_heads", 1));
    const bool transposed = golden.op().find("(transposed)") != std::string::npos;
    const auto [q, k, v] = ttnn::transformer::split_query_key_value_and_split_heads(
        input, std::nullopt, heads, std::nullopt, golden.flag("transpose_key", transposed), std::nullopt);
    std::vector<float> all = values(q);
    for (const Tensor& part : {k, v}) {
        const std::vector<float> more = values(part);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

std::vector<float> call_concatenate_heads(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    return values(ttnn::transformer::concatenate_heads(to_device(golden, 0, device, input_type(golden, 0))));
}

std::vector<float> call_attention_softmax(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    std::optional<Tensor> mask;
    if (golden.input_count() > 1) {
        mask = to_device(golden, 1, device);
    }
    const auto head_size = static_cast<int>(golden.number("head_size", 1));
    return values(ttnn::transformer::attention_softmax(input, head_size, mask));
}

std::vector<float> call_sdpa(const GoldenCase& golden, const Groups&, ttnn::MeshDevice& device) {
    const Tensor q = to_device(golden, 0, device, input_type(golden, 0));
    const Tensor k = to_device(golden, 1, device, input_type(golden, 1));
    const Tensor v = to_device(golden, 2, device, input_type(golden, 2));
    std::optional<Tensor> mask;
    if (golden.input_count() > 3) {
        mask = to_device(golden, 3, device);
    }
    std::optional<float> scale;
    if (golden.has("scale")) {
        scale = static_cast<float>(golden.number("scale", 1));
    }
    const bool causal = golden.flag("is_causal", !mask.has_value());
    return values(ttnn::transformer::scaled_dot_product_attention(q, k, v, mask, causal, scale));
}

}  // namespace zoo::conformance
