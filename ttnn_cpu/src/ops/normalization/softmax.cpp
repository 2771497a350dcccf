// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/normalization/softmax/softmax.hpp>

#include <ttnn/operations/core/core.hpp>

#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "ops/normalization/rules.hpp"
#include "ops/normalization/softmax_operation.hpp"

namespace ttnn {

using namespace ttnn_cpu;

namespace {

std::size_t checked_dim(std::string_view function, const Tensor& input, int dim) {
    const auto rank = static_cast<int>(input.logical_shape().rank());
    const int from_front = dim < 0 ? rank + dim : dim;
    TT_FATAL(
        from_front >= 0 && from_front < rank, "{}: Dimension out of range. Dim: {}, rank: {}", function, dim, rank);
    TT_FATAL(
        input.logical_volume() > 0, "{}: the input of shape {} is empty", function,
        ttnn_cpu::to_string(input.logical_shape()));
    return static_cast<std::size_t>(from_front);
}

JsonText config_json(const SoftmaxProgramConfig& config) {
    JsonText json;
    if (const auto* sharded = std::get_if<SoftmaxShardedMultiCoreProgramConfig>(&config)) {
        json.field("type", "SoftmaxShardedMultiCoreProgramConfig")
            .field("compute_with_storage_grid_size", sharded->compute_with_storage_grid_size)
            .field("subblock_w", sharded->subblock_w)
            .field("block_h", sharded->block_h)
            .field("block_w", sharded->block_w);
    } else {
        json.field("type", "SoftmaxDefaultProgramConfig");
    }
    return json;
}

std::optional<JsonText> config_json(const std::optional<const DeviceComputeKernelConfig>& config) {
    return config ? std::optional<JsonText>(describe(*config)) : std::nullopt;
}

Tensor masked_in_place(
    std::string_view function, SoftmaxKind kind, const Tensor& input_tensor, std::optional<float> scale,
    const OptionalTensor& mask, const SoftmaxProgramConfig& program_config, bool is_causal_mask,
    const std::optional<const DeviceComputeKernelConfig>& compute_kernel_config, bool numeric_stable) {
    const Tensor* mask_pointer = mask ? &*mask : nullptr;
    ApiCall call(function, {&input_tensor, mask_pointer}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("scale", scale)
            .tensor("mask", mask ? std::optional<std::size_t>(1) : std::nullopt)
            .field("program_config", config_json(program_config))
            .field("is_causal_mask", is_causal_mask)
            .field("compute_kernel_config", config_json(compute_kernel_config))
            .field("numeric_stable", numeric_stable);
    });
    check_device_tensors(function, {&input_tensor});
    checked_dim(function, input_tensor, -1);
    const Tensor input = unsqueeze_to_4D(input_tensor);
    const Tensor result = run_softmax(
        {.function = function,
         .kind = kind,
         .dim = 3,
         .scale = scale,
         .memory = input.memory_config(),
         .program_config = program_config,
         .is_causal_mask = is_causal_mask,
         .config = softmax_compute_config(input, compute_kernel_config),
         .numeric_stable = numeric_stable},
        input, mask);
    return call.returns(result.reshape(input_tensor.logical_shape()));
}

}  // namespace

Tensor softmax(
    const Tensor& input_tensor, int dim, const std::optional<MemoryConfig>& memory_config,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, bool numeric_stable) {
    constexpr std::string_view kFunction = "ttnn::softmax";
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("dim", dim)
            .field("memory_config", memory_config)
            .field("compute_kernel_config", config_json(compute_kernel_config))
            .field("numeric_stable", numeric_stable);
    });
    check_device_tensors(kFunction, {&input_tensor});
    const std::size_t from_front = checked_dim(kFunction, input_tensor, dim);
    const Tensor result = softmax_over_dim(
        kFunction, input_tensor, from_front, memory_config.value_or(input_tensor.memory_config()),
        compute_kernel_config, numeric_stable);
    return call.returns(result.reshape(input_tensor.logical_shape()));
}

Tensor scale_mask_softmax(
    const Tensor& input_tensor, std::optional<float> scale, const std::optional<const Tensor>& mask,
    const std::optional<MemoryConfig>& memory_config, bool is_causal_mask,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, bool numeric_stable) {
    constexpr std::string_view kFunction = "ttnn::scale_mask_softmax";
    ApiCall call(kFunction, {&input_tensor, mask ? &*mask : nullptr}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("scale", scale)
            .tensor("mask", mask ? std::optional<std::size_t>(1) : std::nullopt)
            .field("memory_config", memory_config)
            .field("is_causal_mask", is_causal_mask)
            .field("compute_kernel_config", config_json(compute_kernel_config))
            .field("numeric_stable", numeric_stable);
    });
    check_device_tensors(kFunction, {&input_tensor});
    checked_dim(kFunction, input_tensor, -1);
    const Tensor result = ttnn_cpu::scale_mask_softmax(
        kFunction, unsqueeze_to_4D(input_tensor), scale, mask, memory_config.value_or(input_tensor.memory_config()),
        is_causal_mask, compute_kernel_config, numeric_stable);
    return call.returns(result.reshape(input_tensor.logical_shape()));
}

Tensor softmax_in_place(
    const Tensor& input_tensor, int dim, const SoftmaxProgramConfig& program_config,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, bool numeric_stable) {
    constexpr std::string_view kFunction = "ttnn::softmax_in_place";
    ApiCall call(kFunction, {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("dim", dim)
            .field("program_config", config_json(program_config))
            .field("compute_kernel_config", config_json(compute_kernel_config))
            .field("numeric_stable", numeric_stable);
    });
    check_device_tensors(kFunction, {&input_tensor});
    const std::size_t from_front = checked_dim(kFunction, input_tensor, dim);
    const Tensor input = unsqueeze_to_4D(input_tensor);
    // As in TTNN, dim counts in the tensor's own rank and is compared with rank 4: only rank 4 passes.
    TT_FATAL(
        from_front == 3, "{}: Invalid dimension: {}. Currently softmax inplace supports dim -1.", kFunction,
        from_front);
    const Tensor result = run_softmax(
        {.function = kFunction,
         .kind = SoftmaxKind::SoftmaxInPlace,
         .dim = 3,
         .scale = std::nullopt,
         .memory = input.memory_config(),
         .program_config = program_config,
         .is_causal_mask = false,
         .config = softmax_compute_config(input, compute_kernel_config),
         .numeric_stable = numeric_stable},
        input, std::nullopt);
    return call.returns(result.reshape(input_tensor.logical_shape()));
}

Tensor scale_mask_softmax_in_place(
    const Tensor& input_tensor, std::optional<float> scale, const std::optional<const Tensor>& mask,
    const SoftmaxProgramConfig& program_config, bool is_causal_mask,
    std::optional<const DeviceComputeKernelConfig> compute_kernel_config, bool numeric_stable) {
    return masked_in_place(
        "ttnn::scale_mask_softmax_in_place", SoftmaxKind::ScaleMaskSoftmaxInPlace, input_tensor, scale, mask,
        program_config, is_causal_mask, compute_kernel_config, numeric_stable);
}

Tensor scale_causal_mask_hw_dims_softmax_in_place(
    const Tensor& input_tensor, std::optional<float> scale, const std::optional<const Tensor>& mask,
    const SoftmaxProgramConfig& program_config, std::optional<const DeviceComputeKernelConfig> compute_kernel_config,
    bool numeric_stable) {
    return masked_in_place(
        "ttnn::scale_causal_mask_hw_dims_softmax_in_place", SoftmaxKind::ScaleCausalMaskHWSoftmaxInPlace, input_tensor,
        scale, mask, program_config, true, compute_kernel_config, numeric_stable);
}

}  // namespace ttnn
