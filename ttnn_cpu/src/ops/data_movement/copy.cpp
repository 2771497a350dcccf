// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/copy/copy.hpp>

#include <ttnn/operations/data_movement/clone/clone.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/sharding.hpp"

namespace ttnn_cpu {

using tt::tt_metal::DataType;
using tt::tt_metal::Layout;
using tt::tt_metal::MemoryConfig;
using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using ttnn::Tensor;

Tensor copy_op(const Tensor& input, const MemoryConfig& memory, DataType dtype, const std::optional<Tensor>& output) {
    check_device_tensors("copy", {&input});
    if (output) {
        check_device_tensors("copy", {&input, &*output});
        TT_FATAL(
            output->logical_shape() == input.logical_shape(),
            "copy: Input tensor shape {} does not match output tensor shape {}", to_string(input.logical_shape()),
            to_string(output->logical_shape()));
        TT_FATAL(
            output->layout() == input.layout(), "copy: Input tensor layout ({}) must equal output tensor layout ({})",
            to_string(input.layout()), to_string(output->layout()));
        TT_FATAL(
            output->memory_config() == memory,
            "copy: Mismatched output memory config: the output tensor has {}, asked for is {}",
            to_string(output->memory_config()), to_string(memory));
        TT_FATAL(
            output->dtype() == dtype, "copy: Mismatched output dtype: the output tensor has {}, asked for is {}",
            to_string(output->dtype()), to_string(dtype));
    }
    TT_FATAL(
        dtype == input.dtype() || input.layout() == Layout::TILE,
        "copy: Only tile layout supports dtype conversion ({} to {})", to_string(input.dtype()), to_string(dtype));
    return launch_copy(
        "CopyDeviceOperation",
        JsonText().field("output_mem_config", memory).field("output_dtype", dtype).field("backwards", false).str(),
        input, TensorSpec(input.logical_shape(), TensorLayout(dtype, PageConfig(input.layout()), memory)), output);
}

}  // namespace ttnn_cpu

namespace ttnn {

using ttnn_cpu::ApiCall;
using ttnn_cpu::JsonText;

Tensor copy(const Tensor& src_tensor, const Tensor& dst_tensor) {
    ApiCall call("ttnn::copy", {&src_tensor, &dst_tensor}, [&](JsonText& json) {
        json.tensor("src_tensor", 0).tensor("dst_tensor", 1);
    });
    return call.returns(ttnn_cpu::copy_op(src_tensor, dst_tensor.memory_config(), dst_tensor.dtype(), dst_tensor));
}

Tensor assign(
    const Tensor& input, const MemoryConfig& output_mem_config, std::optional<const DataType> output_dtype,
    const std::optional<Tensor>& optional_output_tensor) {
    ApiCall call(
        "ttnn::assign", {&input, optional_output_tensor ? &*optional_output_tensor : nullptr}, [&](JsonText& json) {
            json.tensor("input", 0)
                .field("output_mem_config", output_mem_config)
                .field("output_dtype", output_dtype)
                .tensor(
                    "optional_output_tensor", optional_output_tensor ? std::optional<std::size_t>(1) : std::nullopt);
        });
    return call.returns(
        ttnn_cpu::copy_op(input, output_mem_config, output_dtype.value_or(input.dtype()), optional_output_tensor));
}

Tensor assign(const Tensor& input_a, const Tensor& input_b) {
    ApiCall call(
        "ttnn::assign", {&input_a, &input_b}, [&](JsonText& json) { json.tensor("input_a", 0).tensor("input_b", 1); });
    return call.returns(ttnn_cpu::copy_op(input_a, input_b.memory_config(), input_b.dtype(), input_b));
}

Tensor clone(
    const Tensor& input, const std::optional<DataType>& dtype, const std::optional<MemoryConfig>& memory_config,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config) {
    ApiCall call("ttnn::clone", {&input}, [&](JsonText& json) {
        json.tensor("input", 0)
            .field("dtype", dtype)
            .field("memory_config", memory_config)
            .field("has_compute_kernel_config", compute_kernel_config.has_value());
    });
    ttnn_cpu::check_device_tensors("clone", {&input});
    const DataType output_dtype = dtype.value_or(input.dtype());
    const MemoryConfig memory = memory_config.value_or(input.memory_config());
    TT_FATAL(
        output_dtype == input.dtype() || input.layout() == Layout::TILE,
        "Clone: data type conversion is only supported with tile layout");
    TT_FATAL(
        input.memory_config().is_sharded() == memory.is_sharded(),
        "Clone: mixed sharded/interleaved layout not currently supported. Both input and output must have the same "
        "layout.");
    if (memory.is_sharded()) {
        TT_FATAL(
            input.memory_config().memory_layout() == memory.memory_layout(),
            "Clone: input and output must have the same memory layout when both are sharded");
        TT_FATAL(memory.shard_spec().has_value(), "Clone: output memory config must have shard spec when sharded");
        TT_FATAL(
            input.shard_spec() == memory.shard_spec(),
            "Clone: input and output shard specs must be identical (same grid, shape, and orientation)");
    }
    return call.returns(ttnn_cpu::launch_copy(
        "CloneOperation", JsonText().field("dtype", output_dtype).field("memory_config", memory).str(), input,
        ttnn_cpu::spec_with_padding(
            input.logical_shape(), output_dtype, input.layout(), memory, input.padded_shape())));
}

}  // namespace ttnn
