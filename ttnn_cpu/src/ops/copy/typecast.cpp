// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/copy/typecast/typecast.hpp>

#include <ttnn/tensor/tensor_ops.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn {

using namespace ttnn_cpu;

namespace {

void check(const Tensor& input, const MemoryConfig& memory, const std::optional<Tensor>& output) {
    TT_FATAL(
        input.memory_config().memory_layout() == memory.memory_layout(),
        "Typecast operation requires Input and Output memory layout to match. Input layout: {}, Output layout: {}",
        to_string(input.memory_config().memory_layout()), to_string(memory.memory_layout()));
    TT_FATAL(
        !input.is_sharded() || has_aligned_pages(input),
        "Typecast operation requires sharded input tensor page size ({} bytes) to be aligned to L1 ({} bytes)",
        input.tensor_spec().compute_page_size_bytes(), kL1Alignment);
    if (output) {
        TT_FATAL(
            output->logical_shape() == input.logical_shape(),
            "Typecast operation requires input and preallocated output logical shapes to match. Input shape: {}, "
            "Preallocated "
            "output shape: {}",
            to_string(input.logical_shape()), to_string(output->logical_shape()));
        TT_FATAL(
            output->layout() == input.layout(),
            "Typecast operation requires input and output layouts to match. Input layout: {}, Output layout: {}",
            to_string(input.layout()), to_string(output->layout()));
    }
}

}  // namespace

Tensor typecast(
    const Tensor& input, const DataType& output_dtype, const std::optional<MemoryConfig>& memory_config_arg,
    const std::optional<Tensor>& optional_output_tensor) {
    TT_FATAL(
        !optional_output_tensor || output_dtype == optional_output_tensor->dtype(),
        "typecast: If both output dtype and output tensor provided dtype should match");
    if (!is_device_tensor(input)) {
        TT_FATAL(
            !optional_output_tensor,
            "Preallocated output tensor is not supported for host tensor typecast. Use to_dtype directly if you need "
            "this "
            "functionality.");
        return to_dtype(input, output_dtype);
    }
    ApiCall call(
        "ttnn::typecast", {&input, optional_output_tensor ? &*optional_output_tensor : nullptr}, [&](JsonText& json) {
            json.tensor("input", 0)
                .field("output_dtype", output_dtype)
                .field("memory_config_arg", memory_config_arg)
                .tensor(
                    "optional_output_tensor", optional_output_tensor ? std::optional<std::size_t>(1) : std::nullopt);
        });
    check_device_tensors("typecast", {&input});
    const MemoryConfig memory = optional_output_tensor ? optional_output_tensor->memory_config()
                                                       : memory_config_arg.value_or(input.memory_config());
    check(input, memory, optional_output_tensor);
    return call.returns(launch_copy(
        "TypecastDeviceOperation",
        JsonText()
            .field("input_dtype", input.dtype())
            .field("output_dtype", output_dtype)
            .field("output_memory_config", memory)
            .field("bfp8_pack_precise", output_dtype == DataType::BFLOAT8_B)
            .str(),
        input,
        tt::tt_metal::TensorSpec(
            input.logical_shape(),
            tt::tt_metal::TensorLayout(output_dtype, tt::tt_metal::PageConfig(input.layout()), memory)),
        optional_output_tensor, kernels::ConvertRule::Typecast));
}

Tensor typecast(
    const Tensor& input_tensor, const DataType& tt_input_dtype, const DataType& tt_output_dtype,
    const std::optional<MemoryConfig>& memory_config, const std::optional<Tensor>& optional_output_tensor) {
    TT_FATAL(
        tt_input_dtype == input_tensor.dtype(),
        "typecast: input dtype ({}) and input tensor's dtype ({}) provided should match", to_string(tt_input_dtype),
        to_string(input_tensor.dtype()));
    return typecast(input_tensor, tt_output_dtype, memory_config, optional_output_tensor);
}

}  // namespace ttnn
