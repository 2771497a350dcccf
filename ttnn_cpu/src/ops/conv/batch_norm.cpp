// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/normalization/batch_norm/batch_norm.hpp>

#include <bit>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/parallel.hpp"
#include "kernels/sfpu.hpp"
#include "kernels/wormhole/matrix_fpu.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using kernels::wormhole::Fidelity;
using kernels::wormhole::fpu_add;
using kernels::wormhole::fpu_mul;
using kernels::wormhole::fpu_sub;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

constexpr auto kWidth = kernels::wormhole::DestWidth::Bits16;

struct NormPlan {
    std::size_t batch, channels, rows, columns;  // rows and columns of a padded slice
    bool float32;
    bool param_float32;
    float eps;
    bool has_weight;
    bool has_bias;
};

// A parameter of a channel: the first element of its tile.
float parameter(const BufferRef& buffer, std::size_t channel, bool float32) {
    const std::size_t at = channel * 32 * 32;
    return float32 ? buffer.as<const float>()[at]
                   : std::bit_cast<float>(std::uint32_t{buffer.as<const std::uint16_t>()[at]} << 16);
}

std::uint32_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }

// The steps of the card's kernel, with a bfloat16 result after each.
void normalize_bf16(
    const std::uint16_t* in, std::size_t n, const float (&p)[4], const NormPlan& plan, std::uint16_t* out) {
    for (std::size_t i = 0; i < n; ++i) {
        std::uint32_t value = fpu_sub(std::uint32_t{in[i]} << 16, bits(p[0]), kWidth);
        value = fpu_mul(value, bits(p[1]), Fidelity::HiFi4, kWidth);
        if (plan.has_weight) {
            value = fpu_mul(value, bits(p[2]), Fidelity::HiFi4, kWidth);
        }
        if (plan.has_bias) {
            value = fpu_add(value, bits(p[3]), kWidth);
        }
        out[i] = static_cast<std::uint16_t>(value >> 16);
    }
}

void normalize_f32(const float* in, std::size_t n, const float (&p)[4], float* out) {
    for (std::size_t i = 0; i < n; ++i) {
        out[i] = (in[i] - p[0]) * p[1] * p[2] + p[3];
    }
}

void normalize(const NormPlan& plan, std::span<const BufferRef> in, const BufferRef& out) {
    const std::size_t slice = plan.rows * plan.columns;
    kernels::parallel_for(plan.batch * plan.channels, [&](std::size_t chunk) {
        const std::size_t channel = chunk % plan.channels;
        float p[4] = {parameter(in[1], channel, plan.param_float32), 0.0F, 1.0F, 0.0F};
        const float variance = parameter(in[2], channel, plan.param_float32);
        const auto destination = plan.float32 ? kernels::Destination::Float32 : kernels::Destination::Bfloat16;
        const float sum =
            plan.float32 ? variance + plan.eps : std::bit_cast<float>(fpu_add(bits(variance), bits(plan.eps), kWidth));
        p[1] = kernels::apply_unary({kernels::UnaryFunction::Rsqrt}, sum, destination);
        if (plan.has_weight) {
            p[2] = parameter(in[3], channel, plan.param_float32);
        }
        if (plan.has_bias) {
            p[3] = parameter(in[plan.has_weight ? 4 : 3], channel, plan.param_float32);
        }
        if (plan.float32) {
            normalize_f32(in[0].as<const float>() + chunk * slice, slice, p, out.as<float>() + chunk * slice);
        } else {
            normalize_bf16(
                in[0].as<const std::uint16_t>() + chunk * slice, slice, p, plan,
                out.as<std::uint16_t>() + chunk * slice);
        }
    });
}

void check(const Tensor& tensor, std::string_view name, std::uint32_t channels) {
    check_device_tensors("batch_norm", {&tensor});
    TT_FATAL(
        tensor.layout() == Layout::TILE, "batch_norm only supports tiled layout. Got: {} for {}",
        ttnn_cpu::to_string(tensor.layout()), name);
    TT_FATAL(
        tensor.dtype() == DataType::BFLOAT16 || tensor.dtype() == DataType::FLOAT32,
        "batch_norm only supports bfloat16, float32. Got: {} for {}", ttnn_cpu::to_string(tensor.dtype()), name);
    TT_FATAL(!tensor.is_sharded(), "{} tensor must be interleaved", name);
    TT_FATAL(
        tensor.logical_shape().rank() == 4, "batch_norm supports tensors of rank 4; {} has rank {}", name,
        tensor.logical_shape().rank());
    TT_FATAL(
        tensor.logical_shape()[1] == channels, "{}[1] must be the same as input's channel size: {} and {}", name,
        tensor.logical_shape()[1], channels);
}

}  // namespace

Tensor batch_norm(
    const Tensor& input, std::optional<Tensor> running_mean, std::optional<Tensor> running_var, bool training,
    float eps, float momentum, const std::optional<Tensor>& weight, const std::optional<Tensor>& bias,
    const std::optional<Tensor>& output, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& /*compute_kernel_config*/) {
    std::size_t next = 1;
    const auto place = [&](const std::optional<Tensor>& tensor) {
        const std::size_t at = next++;
        return tensor ? std::optional<std::size_t>(at) : std::nullopt;
    };
    const auto pointer = [](const std::optional<Tensor>& tensor) { return tensor ? &*tensor : nullptr; };
    ApiCall call(
        "ttnn::batch_norm",
        {&input, pointer(running_mean), pointer(running_var), pointer(weight), pointer(bias), pointer(output)},
        [&](JsonText& json) {
            json.tensor("input", 0)
                .tensor("running_mean", place(running_mean))
                .tensor("running_var", place(running_var))
                .field("training", training)
                .field("eps", eps)
                .field("momentum", momentum)
                .tensor("weight", place(weight))
                .tensor("bias", place(bias))
                .tensor("output", place(output))
                .field("memory_config", memory_config);
        });
    const Shape& shape = input.logical_shape();
    TT_FATAL(shape.rank() >= 4, "batch_norm not supported for tensors with rank < 4. (rank={})", shape.rank());
    TT_FATAL(!training, "batch_norm: training is not supported by the embedded provider");
    TT_FATAL(
        running_mean.has_value() && running_var.has_value(),
        "running_mean and running_var must be defined in evaluation mode");
    const DataType params = running_mean->dtype();
    const std::uint32_t channels = shape[1];
    check(input, "input", channels);
    std::vector<Tensor> inputs{input};
    const auto add = [&](const std::optional<Tensor>& tensor, std::string_view name) {
        if (tensor) {
            check(*tensor, name, channels);
            TT_FATAL(
                tensor->dtype() == params, "batch_norm: {} dtype ({}) must match other parameter tensors dtype ({})",
                name, ttnn_cpu::to_string(tensor->dtype()), ttnn_cpu::to_string(params));
            inputs.push_back(*tensor);
        }
    };
    add(running_mean, "running_mean");
    add(running_var, "running_var");
    add(weight, "weight");
    add(bias, "bias");
    TT_FATAL(
        !output || output->dtype() == input.dtype(), "batch_norm: output dtype ({}) must match input dtype ({})",
        ttnn_cpu::to_string(output->dtype()), ttnn_cpu::to_string(input.dtype()));
    const MemoryConfig memory = memory_config.value_or(input.memory_config());
    TT_FATAL(!memory.is_sharded(), "batch_norm: the output must be interleaved");
    const TensorSpec spec(shape, TensorLayout(input.dtype(), PageConfig(Layout::TILE), memory));
    const NormPlan plan{
        .batch = shape[0],
        .channels = channels,
        .rows = input.padded_shape()[-2],
        .columns = input.padded_shape()[-1],
        .float32 = input.dtype() == DataType::FLOAT32,
        .param_float32 = params == DataType::FLOAT32,
        .eps = eps,
        .has_weight = weight.has_value(),
        .has_bias = bias.has_value()};
    return call.returns(launch({.name = "BatchNormOperation",
                                .attributes = JsonText()
                                                  .field("eps", eps)
                                                  .field("weight", plan.has_weight)
                                                  .field("bias", plan.has_bias)
                                                  .field("memory_config", memory)
                                                  .str(),
                                .inputs = inputs,
                                .output_specs = {spec},
                                .outputs = output ? std::vector<Tensor>{*output} : std::vector<Tensor>{},
                                .create_program =
                                    [&](Numerics) {
                                        Program program;
                                        program.core_count = cores_for(spec, *input.device());
                                        // Two tiles each of input, mean, variance, weight, bias, the two steps between
                                        // and the output.
                                        program.circular_buffer_bytes = 8 * 2 * storage_bytes(input.dtype(), 1024);
                                        program.kernel =
                                            [plan](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                                                normalize(plan, in, out[0]);
                                            };
                                        return program;
                                    }})
                            .front());
}

}  // namespace ttnn
