// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/transformer/attention_softmax/attention_softmax.hpp>

#include <cmath>

#include <ttnn/operations/eltwise/binary/binary.hpp>
#include <ttnn/operations/normalization/softmax/softmax.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/normalization/softmax_operation.hpp"

namespace ttnn::transformer {

using namespace ttnn_cpu;

namespace {

float scale_for(const std::optional<int>& head_size) {
    return head_size ? 1.0F / std::sqrt(static_cast<float>(*head_size)) : 1.0F;
}

void write_arguments(
    JsonText& json, const std::optional<int>& head_size, bool has_mask, std::optional<bool> causal_mask,
    const std::optional<MemoryConfig>& memory_config) {
    json.tensor("input_tensor", 0)
        .field("head_size", head_size)
        .tensor("attention_mask", has_mask ? std::optional<std::size_t>(1) : std::nullopt)
        .field("causal_mask", causal_mask)
        .field("memory_config", memory_config);
}

}  // namespace

Tensor attention_softmax(
    Tensor& input_tensor, const std::optional<int>& head_size_arg, const std::optional<const Tensor>& attention_mask,
    const SoftmaxProgramConfig& /*program_config*/, std::optional<bool> causal_mask,
    const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::transformer::attention_softmax";
    ApiCall call(kFunction, {&input_tensor, attention_mask ? &*attention_mask : nullptr}, [&](JsonText& json) {
        write_arguments(json, head_size_arg, attention_mask.has_value(), causal_mask, memory_config);
    });
    const float scale = scale_for(head_size_arg);
    const MemoryConfig memory = memory_config.value_or(input_tensor.memory_config());
    if (!attention_mask) {
        const Tensor scaled = ttnn::multiply(input_tensor, scale);
        return call.returns(
            softmax_over_dim(kFunction, scaled, scaled.logical_shape().rank() - 1, memory, std::nullopt, true));
    }
    return call.returns(ttnn_cpu::scale_mask_softmax(
        kFunction, input_tensor, scale, attention_mask, memory, causal_mask.value_or(false), std::nullopt, true));
}

Tensor attention_softmax_(
    Tensor& input_tensor, const std::optional<int>& head_size_arg, const std::optional<const Tensor>& attention_mask,
    const SoftmaxProgramConfig& /*program_config*/, std::optional<bool> causal_mask,
    const std::optional<MemoryConfig>& memory_config) {
    constexpr std::string_view kFunction = "ttnn::transformer::attention_softmax_";
    ApiCall call(kFunction, {&input_tensor, attention_mask ? &*attention_mask : nullptr}, [&](JsonText& json) {
        write_arguments(json, head_size_arg, attention_mask.has_value(), causal_mask, memory_config);
    });
    TT_FATAL(
        attention_mask.has_value(),
        "{}: Cannot apply divide by sqrt(head_size) using in-place version when attention_mask is not set.", kFunction);
    return call.returns(ttnn::scale_mask_softmax_in_place(
        input_tensor, scale_for(head_size_arg), attention_mask, SoftmaxDefaultProgramConfig{},
        causal_mask.value_or(false), std::nullopt, true));
}

}  // namespace ttnn::transformer
