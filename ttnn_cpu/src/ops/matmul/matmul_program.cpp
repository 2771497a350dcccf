// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul/matmul_program.hpp"

#include <memory>

#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "kernels/matmul_fast.hpp"

namespace ttnn_cpu::matmul_op {
namespace {

using kernels::StoredFormat;
using tt::tt_metal::MathFidelity;

StoredFormat stored_format(DataType dtype) {
    switch (dtype) {
        case DataType::BFLOAT16:
            return StoredFormat::Bfloat16;
        case DataType::FLOAT32:
            return StoredFormat::Float32;
        case DataType::BFLOAT8_B:
            return StoredFormat::Bfloat8B;
        case DataType::BFLOAT4_B:
            return StoredFormat::Bfloat4B;
        default:
            TT_THROW("Unsupported data format for matmul: {}", to_string(dtype));
    }
}

std::optional<UnaryWithParam> fused_activation(const MatmulProgramConfig& config) {
    return std::visit(
        [](const auto& c) -> std::optional<UnaryWithParam> {
            if constexpr (requires { c.fused_activation; }) {
                return c.fused_activation;
            } else {
                return std::nullopt;
            }
        },
        config);
}

}  // namespace

kernels::UnaryOp fused_function(const UnaryWithParam& activation) {
    using Function = kernels::UnaryFunction;
    using Type = ttnn::UnaryOpType;
    const auto& params = activation.params;
    TT_FATAL(
        params.size() <= 2, "Invalid number of activation parameters: {}. Expected no more than 2.", params.size());
    const auto param = [&](std::size_t index, float missing) {
        return index < params.size() ? params[index] : missing;
    };
    switch (activation.op_type) {
        case Type::GELU:
            return {param(0, 0.0F) != 0.0F ? Function::GeluApprox : Function::Gelu};
        case Type::GELU_TANH:
            return {Function::GeluTanh};
        case Type::TANH:
            return {param(0, 0.0F) != 0.0F ? Function::TanhApprox : Function::Tanh};
        case Type::SILU:
            return {Function::Silu};
        case Type::RELU6:
            return {Function::ReluMax, param(0, 6.0F)};
        case Type::SIGMOID:
            TT_FATAL(param(0, 0.0F) <= 4.0F, "Invalid Vector mode value: {}", param(0, 0.0F));
            return {param(1, 0.0F) != 0.0F ? Function::SigmoidApprox : Function::Sigmoid};
        case Type::HARDSIGMOID:
            return {Function::Hardsigmoid};
        case Type::HARDTANH:
            return {Function::Clamp, param(0, -1.0F), param(1, 1.0F)};
        case Type::SOFTPLUS:
            TT_FATAL(param(0, 1.0F) != 0.0F, "SOFTPLUS activation beta parameter cannot be zero");
            return {Function::Softplus, param(0, 1.0F), param(1, 20.0F)};
        default:
            TT_THROW("Unsupported UnaryOpType for fused activation: {}", activation_name(activation.op_type));
    }
}

ProgramSpec program_spec(
    const Tensor& a, const Tensor& b, const std::optional<Tensor>& bias, const Params& params,
    const MatmulProgramConfig& config) {
    const Sizes sizes(a, b, params.transpose_a, params.transpose_b);
    ProgramSpec spec;
    spec.placement = place(a, b, bias, params, config);
    spec.compute = params.compute_kernel_config;
    spec.batch = std::max(sizes.batch_a, sizes.batch_b);
    spec.one_in0 = sizes.batch_a == 1;
    spec.one_in1 = sizes.batch_b == 1;
    spec.m = sizes.a.rank() < 2 ? 1 : sizes.a[-2];
    spec.m_padded = std::size_t{sizes.m_tiles} * kTile;
    spec.out_m_padded = (spec.m + kTile - 1) / kTile * kTile;
    spec.k = sizes.a[-1];
    spec.k_padded = std::size_t{sizes.k_tiles} * kTile;
    spec.n = std::size_t{sizes.n_tiles} * kTile;
    spec.transpose0 = params.transpose_a;
    spec.transpose1 = params.transpose_b;
    spec.in0_format = stored_format(a.dtype());
    spec.in1_format = stored_format(b.dtype());
    spec.out_format = stored_format(params.output_dtype);
    if (params.untilize_out) {
        TT_FATAL(
            sizes.b[-1] == spec.n && spec.m == spec.m_padded,
            "matmul: untilize_out needs an output of whole tiles on the embedded device, got {} x {}", spec.m,
            sizes.b[-1]);
    }
    if (bias) {
        spec.has_bias = true;
        spec.bias_format = stored_format(bias->dtype());
        spec.bias_rows_padded = bias->tensor_spec().physical_shape().height();
        spec.bias_is_block = std::holds_alternative<ReuseConfig>(config);
    }
    if (const auto activation = fused_activation(config)) {
        spec.packer_relu = activation->op_type == ttnn::UnaryOpType::RELU;
        if (!spec.packer_relu) {
            spec.activation = fused_function(*activation);
        }
    }
    return spec;
}

Kernel fast_kernel(const ProgramSpec& spec) {
    const MathFidelity fidelity = spec.compute.math_fidelity;
    kernels::FastMatmulSpec fast{
        .batch = spec.batch,
        .one_in0 = spec.one_in0,
        .one_in1 = spec.one_in1,
        .m = spec.m,
        .m_padded = spec.m_padded,
        .out_m_padded = spec.out_m_padded,
        .k = spec.k,
        .k_padded = spec.k_padded,
        .n = spec.n,
        .transpose0 = spec.transpose0,
        .transpose1 = spec.transpose1,
        .in0_format = spec.in0_format,
        .in1_format = spec.in1_format,
        .out_format = spec.out_format,
        // The engine reads 6 fraction bits of in0, and 4 more from HiFi3 on; 4 of in1, and 5 more from HiFi2 on.
        .mask0 = kernels::fraction_mask(fidelity == MathFidelity::LoFi || fidelity == MathFidelity::HiFi2 ? 6 : 10),
        .mask1 = kernels::fraction_mask(fidelity == MathFidelity::LoFi ? 4 : 9),
        .bias_format = spec.bias_format,
        .bias_rows_padded = spec.bias_rows_padded,
        .bias_is_block = spec.bias_is_block,
        .epilogue = {
            .float32_destination = spec.compute.fp32_dest_acc_en,
            .has_bias = spec.has_bias,
            .relu = spec.packer_relu,
            .activation = spec.activation}};
    const auto matmul = std::make_shared<const kernels::FastMatmul>(fast);
    return [matmul](std::span<const BufferRef> inputs, std::span<const BufferRef> outputs) {
        const BufferRef& weights = inputs[1];
        std::shared_ptr<const void> packed;
        if (matmul->packs() && weights.packed->constant()) {
            packed = weights.packed->get(matmul->packed_key(), [&] { return matmul->pack(weights.data); });
        }
        matmul->run(
            inputs[0].data, weights.data, inputs.size() > 2 ? inputs[2].data : nullptr, outputs[0].data, packed.get());
    };
}

Program make_program(const ProgramSpec& spec, Numerics numerics) {
    return {
        .kernel = numerics == Numerics::Wormhole ? wormhole_kernel(spec) : fast_kernel(spec),
        .core_count = spec.placement.cores,
        .circular_buffer_bytes = spec.placement.circular_buffer_bytes,
        .math_fidelity = spec.compute.math_fidelity};
}

}  // namespace ttnn_cpu::matmul_op
