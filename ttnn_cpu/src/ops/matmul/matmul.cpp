// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/matmul/matmul.hpp>

#include <algorithm>

#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>
#include <ttnn/operations/eltwise/binary/binary.hpp>
#include <ttnn/operations/eltwise/unary/common/unary_op_utils.hpp>
#include <ttnn/operations/eltwise/unary/unary.hpp>

#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/matmul/device_operation.hpp"

namespace ttnn::operations::matmul {

namespace impl = ttnn_cpu::matmul_op;
using impl::kTile;
using impl::Params;
using impl::Sizes;
using tt::tt_metal::Shape;
using ttnn_cpu::ApiCall;
using ttnn_cpu::JsonText;
using ttnn_cpu::to_string;

namespace {

// Whether a full [M, N] bias goes into a reuse program, which adds it to every batch element.
bool reuse_fuses_block(
    const impl::ReuseConfig& config, const Sizes& sizes, const Tensor& bias, bool transpose_a, bool transpose_b) {
    if (transpose_a || transpose_b || detail::is_input_batched(bias.logical_shape())) {
        return false;
    }
    const auto& shape = bias.logical_shape();
    return sizes.n_tiles == config.per_core_N && config.per_core_M >= sizes.m_tiles && shape.rank() >= 2 &&
           shape[-2] == sizes.m_tiles * kTile && shape[-1] == sizes.n_tiles * kTile;
}

// Whether the bias is added by an op of its own.
bool post_process_bias(const Tensor& a, const Tensor& b, const Tensor& bias, const Params& params) {
    const Sizes sizes(a, b, params.transpose_a, params.transpose_b);
    const auto& config = params.program_config;
    if (config && std::holds_alternative<impl::ReuseConfig>(*config)) {
        if (reuse_fuses_block(
                std::get<impl::ReuseConfig>(*config), sizes, bias, params.transpose_a, params.transpose_b)) {
            return false;
        }
        if (bias.logical_shape().rank() < 2 || bias.logical_shape()[-2] == 1) {
            return true;
        }
    }
    if (detail::is_input_batched(b.logical_shape()) || detail::is_input_batched(bias.logical_shape()) ||
        bias.padded_shape()[-2] != kTile) {
        return true;
    }
    if (config) {
        return std::holds_alternative<impl::MultiCoreConfig>(*config);
    }
    if (params.core_grid) {
        return false;
    }
    const MemoryConfig& out = params.output_mem_config;
    if (!out.is_dram()) {
        return true;
    }
    const auto dram_interleaved = [](const MemoryConfig& memory) { return memory.is_dram() && !memory.is_sharded(); };
    return !a.is_sharded() &&
           !(dram_interleaved(a.memory_config()) && dram_interleaved(b.memory_config()) && !out.is_sharded());
}

// The readers of these configs transpose tiles as they go.
bool transposes_itself(const MatmulProgramConfig& config) {
    return std::holds_alternative<impl::Mcast1DConfig>(config) || std::holds_alternative<impl::Mcast2DConfig>(config) ||
           std::holds_alternative<impl::ReuseConfig>(config);
}

Shape broadcast_shape(const Shape& a, const Shape& b) {
    const auto rank_a = static_cast<std::int32_t>(a.rank());
    const auto rank_b = static_cast<std::int32_t>(b.rank());
    Shape result = rank_a >= rank_b ? a : b;
    for (std::int32_t i = 1; i <= std::min(rank_a, rank_b); ++i) {
        TT_FATAL(a[-i] == b[-i] || a[-i] == 1 || b[-i] == 1, "Broadcast error: Invalid dimension");
        result[-i] = std::max(a[-i], b[-i]);
    }
    return result;
}

Tensor bound_matmul(
    const Tensor& input_a, const Tensor& input_b, const std::optional<Tensor>& bias, const impl::Arguments& arguments,
    const std::optional<Tensor>& output) {
    TT_FATAL(
        input_a.logical_shape().rank() > 0 && input_b.logical_shape().rank() > 0,
        "ttnn.matmul: Both arguments to matmul need to be at least 1D, but got shapes {} and {}",
        to_string(input_a.logical_shape()), to_string(input_b.logical_shape()));
    TT_FATAL(
        !(input_a.is_sharded() || input_b.is_sharded()) || !arguments.activation,
        "Sharded matmul run with {} activation: this should be placed in the program config's fused_activation field",
        impl::activation_name(arguments.activation->op_type));
    Tensor a = input_a;
    Tensor b = input_b;
    const bool vector_b = b.logical_shape().rank() == 1;
    if (vector_b) {
        b = ttnn::reshape(b, Shape({b.logical_shape()[-1], 1}));
    }
    Params params = impl::resolve(a, b, arguments, output);
    if (params.transpose_a || params.transpose_b) {
        const MatmulProgramConfig config =
            impl::choose_program_config(a, b, params, bias ? impl::tile_bytes(bias->dtype()) : 0);
        if (!transposes_itself(config)) {
            a = params.transpose_a ? ttnn::transpose(a, -1, -2, a.memory_config()) : a;
            b = params.transpose_b && !vector_b ? ttnn::transpose(b, -1, -2, b.memory_config()) : b;
            params.transpose_a = false;
            params.transpose_b = false;
        }
    }
    const Shape matmul_shape = impl::output_shape(a, input_b, params.transpose_a, params.transpose_b && !vector_b);

    const bool post_bias = bias && post_process_bias(a, b, *bias, params);
    Tensor result = impl::run(a, b, post_bias ? std::nullopt : bias, output, params);
    if (vector_b) {
        result = ttnn::reshape(result, matmul_shape);
    }
    if (post_bias) {
        result = ttnn::add(result, *bias, std::nullopt, result.memory_config(), output);
    }
    const Shape shape = bias ? broadcast_shape(matmul_shape, bias->logical_shape()) : matmul_shape;
    if (output) {
        TT_FATAL(output->logical_shape().volume() == shape.volume(), "Invalid optional output tensor");
    } else if (bias && result.logical_shape() != shape) {
        result = ttnn::reshape(result, shape);
    }
    if (params.activation && !params.core_grid) {
        result = ttnn::unary_chain(result, {*params.activation}, result.memory_config(), output);
    }
    return result;
}

void write_arguments(JsonText& json, const impl::Arguments& arguments, std::optional<std::size_t> output) {
    json.field("transpose_a", arguments.transpose_a)
        .field("transpose_b", arguments.transpose_b)
        .field("memory_config", arguments.memory_config)
        .field("dtype", arguments.dtype);
    if (arguments.program_config) {
        json.field("program_config", impl::to_json(*arguments.program_config));
    } else {
        json.field("program_config", std::nullopt);
    }
    if (arguments.activation) {
        json.field("activation", impl::to_json(*arguments.activation));
    } else {
        json.field("activation", std::nullopt);
    }
    if (arguments.compute_kernel_config) {
        json.field("compute_kernel_config", impl::to_json(*arguments.compute_kernel_config));
    } else {
        json.field("compute_kernel_config", std::nullopt);
    }
    if (arguments.core_grid) {
        json.field("core_grid", arguments.core_grid->to_CoreCoord());
    } else {
        json.field("core_grid", std::nullopt);
    }
    json.tensor("optional_output_tensor", output);
}

}  // namespace

bool detail::is_input_batched(const tt::tt_metal::Shape& logical_shape) { return impl::batch_size(logical_shape) > 1; }

std::optional<UnaryWithParam> get_fused_activation(const std::optional<const Activation>& activation) {
    if (!activation) {
        return std::nullopt;
    }
    if (const auto* name = std::get_if<std::string>(&*activation)) {
        return unary::utils::string_to_unary_with_param(*name);
    }
    return std::get<UnaryWithParam>(*activation);
}

Tensor matmul(
    const Tensor& input_tensor_a, const Tensor& input_tensor_b, bool transpose_a, bool transpose_b,
    const std::optional<const MemoryConfig>& memory_config, std::optional<const DataType> dtype,
    const std::optional<const MatmulProgramConfig>& program_config, const std::optional<const Activation>& activation,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, std::optional<const CoreGrid> core_grid,
    const std::optional<const tt::tt_metal::Tile>& output_tile, std::optional<Tensor> optional_output_tensor) {
    // linear has no such form.
    const auto* config = program_config ? std::get_if<impl::Mcast1DConfig>(&*program_config) : nullptr;
    const bool untilize_out = config != nullptr && config->untilize_out;
    const impl::Arguments arguments{
        memory_config,         dtype,       program_config, get_fused_activation(activation),
        compute_kernel_config, core_grid,   output_tile,    transpose_a,
        transpose_b,           untilize_out};
    const Tensor* output = optional_output_tensor ? &*optional_output_tensor : nullptr;
    ApiCall call("ttnn::matmul", {&input_tensor_a, &input_tensor_b, output}, [&](JsonText& json) {
        json.tensor("input_tensor_a", 0).tensor("input_tensor_b", 1);
        write_arguments(json, arguments, output != nullptr ? std::optional<std::size_t>(2) : std::nullopt);
    });
    ttnn_cpu::check_device_tensors("ttnn::matmul", {&input_tensor_a, &input_tensor_b});
    return call.returns(bound_matmul(input_tensor_a, input_tensor_b, std::nullopt, arguments, optional_output_tensor));
}

Tensor linear(
    const Tensor& input_tensor_a, const Tensor& input_tensor_b, const std::optional<const Tensor>& bias,
    bool transpose_a, bool transpose_b, const std::optional<const MemoryConfig>& memory_config,
    std::optional<const DataType> dtype, const std::optional<const MatmulProgramConfig>& program_config,
    const std::optional<const Activation>& activation,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, std::optional<const CoreGrid> core_grid,
    const std::optional<const tt::tt_metal::Tile>& output_tile, std::optional<Tensor> optional_output_tensor) {
    const impl::Arguments arguments{memory_config,         dtype,     program_config, get_fused_activation(activation),
                                    compute_kernel_config, core_grid, output_tile,    transpose_a,
                                    transpose_b,
                                    /*untilize_out=*/false};
    const Tensor* output = optional_output_tensor ? &*optional_output_tensor : nullptr;
    ApiCall call(
        "ttnn::linear", {&input_tensor_a, &input_tensor_b, bias ? &*bias : nullptr, output}, [&](JsonText& json) {
            json.tensor("input_tensor_a", 0).tensor("input_tensor_b", 1);
            json.tensor("bias", bias ? std::optional<std::size_t>(2) : std::nullopt);
            write_arguments(
                json, arguments, output != nullptr ? std::optional<std::size_t>(bias ? 3 : 2) : std::nullopt);
        });
    ttnn_cpu::check_device_tensors("ttnn::linear", {&input_tensor_a, &input_tensor_b});
    std::optional<Tensor> bias_tensor;
    if (bias) {
        ttnn_cpu::check_device_tensors("ttnn::linear", {&input_tensor_a, &*bias});
        bias_tensor = *bias;
    }
    return call.returns(bound_matmul(input_tensor_a, input_tensor_b, bias_tensor, arguments, optional_output_tensor));
}

}  // namespace ttnn::operations::matmul
