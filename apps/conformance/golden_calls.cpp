// SPDX-License-Identifier: Apache-2.0
#include "conformance/golden_calls.hpp"

#include <map>
#include <regex>

#include "ttnn/operations/copy/typecast/typecast.hpp"
#include "ttnn/operations/embedding/embedding.hpp"
#include "ttnn/operations/normalization/rmsnorm/rmsnorm.hpp"
#include "ttnn/operations/normalization/softmax/softmax.hpp"
#include "ttnn/operations/reduction/argmax/argmax.hpp"
#include "ttnn/operations/reduction/generic/generic_reductions.hpp"
#include "ttnn/operations/transformer/attention_softmax/attention_softmax.hpp"
#include "ttnn/operations/transformer/concatenate_heads/concatenate_heads.hpp"
#include "ttnn/operations/transformer/split_query_key_value_and_split_heads/split_query_key_value_and_split_heads.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/op_args.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace zoo::conformance {

using ttnn::DataType;
using ttnn::Tensor;

namespace {

using Groups = std::vector<std::string>;

// Only when the case names one of its fields: giving a config replaces all defaults.
std::optional<ttnn::DeviceComputeKernelConfig> compute_config(const GoldenCase& golden) {
    if (!golden.has("fidelity") && !golden.has("fid") && !golden.has("math_fidelity") &&
        !golden.has("fp32_dest_acc_en") && !golden.has("packer_l1_acc") && !golden.has("math_approx_mode")) {
        return std::nullopt;
    }
    ttnn::DeviceComputeKernelConfig config;
    config.math_fidelity = fidelity(golden.text("fidelity", golden.text("math_fidelity", golden.text("fid", "LoFi"))));
    config.math_approx_mode = golden.flag("math_approx_mode", false);
    config.fp32_dest_acc_en = golden.flag("fp32_dest_acc_en", false);
    config.packer_l1_acc = golden.flag("packer_l1_acc", false);
    return config;
}

constexpr int kMostDimensions = 8;

// The dimension that the name of the op has, or its argument.
int dimension(const GoldenCase& golden, const std::string& named) {
    return named.empty() ? golden.integer("dim", -1, -kMostDimensions, kMostDimensions)
                         : whole_number("dimension", named, -kMostDimensions, kMostDimensions);
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
        result.push_back(whole_number("argument 'dim'", match->str(), -kMostDimensions, kMostDimensions));
    }
    return result;
}

std::optional<DataType> output_type(const GoldenCase& golden) {
    const std::string name = golden.text("dtype_out", golden.text("odt", golden.text("dtype")));
    return name.empty() ? std::nullopt : std::optional(data_type(name));
}

}  // namespace

tt::tt_metal::MathFidelity fidelity(const std::string& name) {
    using tt::tt_metal::MathFidelity;
    const std::map<std::string, MathFidelity> names{
        {"LoFi", MathFidelity::LoFi},
        {"HiFi2", MathFidelity::HiFi2},
        {"HiFi3", MathFidelity::HiFi3},
        {"HiFi4", MathFidelity::HiFi4}};
    // "MathFidelity.HiFi4", as Python prints it, is the same.
    const auto found = names.find(name.substr(name.find_last_of(".:") + 1));
    if (found == names.end()) {
        throw UnknownCase("math fidelity '" + name + "' is not known");
    }
    return found->second;
}

// The data type of an input that the case may name as dtype0, dtype1 ... or once for all as dtype.
DataType input_type(const GoldenCase& golden, std::size_t index) {
    const std::string common = golden.text("dtype", "BFLOAT16");
    return data_type(golden.text("dtype" + std::to_string(index), common));
}

std::vector<float> values(const Tensor& tensor) { return tensor.to_vector<float>(); }

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
    const int dim = dimension(golden, groups[0]);
    return values(ttnn::softmax(input, dim, std::nullopt, compute_config(golden), stable));
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
    args.compute_kernel_config = compute_config(golden);
    if (golden.op().starts_with("rms_norm")) {
        return values(ttnn::rms_norm(
            input, args.epsilon, args.weight, args.bias, args.residual, std::nullopt, std::nullopt,
            args.compute_kernel_config));
    }
    return values(layer_norm(input, args));
}

std::vector<float> call_reduce(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0));
    const auto dim = dimensions(golden);
    const bool keepdim = golden.flag("keepdim", true);
    const auto config = compute_config(golden);
    const auto scalar = static_cast<float>(golden.number("scalar", 1));
    const auto reduce = [&](const auto& function) {
        return values(function(input, dim, keepdim, std::nullopt, config, scalar));
    };
#define ZOO_REDUCTION(name) [](const auto&... arguments) { return ttnn::name(arguments...); }
    return groups[0] == "sum"    ? reduce(ZOO_REDUCTION(sum))
           : groups[0] == "mean" ? reduce(ZOO_REDUCTION(mean))
           : groups[0] == "max"  ? reduce(ZOO_REDUCTION(max))
           : groups[0] == "std"  ? reduce(ZOO_REDUCTION(std))
           : groups[0] == "var"  ? reduce(ZOO_REDUCTION(var))
                                 : reduce(ZOO_REDUCTION(min));
#undef ZOO_REDUCTION
}

std::vector<float> call_argmax(const GoldenCase& golden, const Groups& groups, ttnn::MeshDevice& device) {
    const ttnn::Layout layout = groups[1] == "TILE" ? ttnn::Layout::TILE : ttnn::Layout::ROW_MAJOR;
    const Tensor input = to_device(golden, 0, device, input_type(golden, 0), layout);
    const int dim = dimension(golden, groups[0]);
    const std::vector<std::uint32_t> indices =
        ttnn::argmax(input, dim, golden.flag("keepdim", false)).to_vector<std::uint32_t>();
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
    std::optional<ttnn::operations::transformer::SDPAProgramConfig> program;
    if (golden.has("q_chunk_size") || golden.has("k_chunk_size") || golden.has("exp_approx_mode")) {
        program.emplace();
        program->compute_with_storage_grid_size = device.compute_with_storage_grid_size();
        program->q_chunk_size = static_cast<std::size_t>(golden.number("q_chunk_size", 32));
        program->k_chunk_size = static_cast<std::size_t>(golden.number("k_chunk_size", 32));
        if (golden.has("exp_approx_mode")) {
            program->exp_approx_mode = golden.flag("exp_approx_mode", true);
        }
    }
    return values(ttnn::transformer::scaled_dot_product_attention(
        q, k, v, mask, causal, scale, std::nullopt, std::nullopt, program, compute_config(golden)));
}

}  // namespace zoo::conformance
