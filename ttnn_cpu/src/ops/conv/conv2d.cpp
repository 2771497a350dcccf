// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/conv/conv2d/conv2d.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/conv/conv2d_run.hpp"

namespace ttnn {

using namespace ttnn_cpu;

Conv2dResultWithOptions conv2d(
    const Tensor& input_tensor, const Tensor& weight_tensor, MeshDevice* device, uint32_t in_channels,
    uint32_t out_channels, uint32_t batch_size, uint32_t input_height, uint32_t input_width,
    std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, std::array<uint32_t, 2> dilation,
    uint32_t groups, const std::optional<const DataType>& dtype, const std::optional<const Tensor>& bias_tensor,
    const std::optional<const Conv2dConfig>& conv_config_,
    const std::optional<const DeviceComputeKernelConfig>& compute_config_,
    const std::optional<const MemoryConfig>& memory_config_,
    const std::optional<const Conv2dSliceConfig>& dram_slice_config_, bool return_output_dim,
    bool return_weights_and_bias) {
    const auto sides = operations::sliding_window::get_pair_n4_padding(padding);
    ApiCall call(
        "ttnn::conv2d", {&input_tensor, &weight_tensor, bias_tensor ? &*bias_tensor : nullptr}, [&](JsonText& json) {
            json.tensor("input_tensor", 0)
                .tensor("weight_tensor", 1)
                .field("in_channels", in_channels)
                .field("out_channels", out_channels)
                .field("batch_size", batch_size)
                .field("input_height", input_height)
                .field("input_width", input_width)
                .field("kernel_size", kernel_size)
                .field("stride", stride)
                .field("padding", sides)
                .field("dilation", dilation)
                .field("groups", groups)
                .field("dtype", std::optional<DataType>(dtype))
                .tensor("bias_tensor", bias_tensor ? std::optional<std::size_t>(2) : std::nullopt);
            conv_config_ ? json.field("conv_config", conv_op::describe(*conv_config_))
                         : json.field("conv_config", std::nullopt);
            compute_config_ ? json.field("compute_config", conv_op::describe(*compute_config_))
                            : json.field("compute_config", std::nullopt);
            json.field("memory_config", std::optional<MemoryConfig>(memory_config_));
            dram_slice_config_ ? json.field("slice_config", conv_op::describe(*dram_slice_config_))
                               : json.field("slice_config", std::nullopt);
            json.field("return_output_dim", return_output_dim)
                .field("return_weights_and_bias", return_weights_and_bias);
        });
    TT_FATAL(device != nullptr, "Conv2d: the device must not be null");
    const conv_op::ConvShape shape{
        .batch = batch_size,
        .in_channels = in_channels,
        .out_channels = out_channels,
        .input = {input_height, input_width},
        .kernel = kernel_size,
        .stride = stride,
        .padding = sides,
        .dilation = dilation,
        .groups = groups};
    conv_op::check_shape(shape);
    conv_op::check_config(conv_config_.value_or(Conv2dConfig()));
    conv_op::check_input(input_tensor, shape);
    conv_op::Call steps{
        .given = shape,
        .shape = shape,
        .config = conv_config_.value_or(Conv2dConfig()),
        .compute = {},
        .output_dtype = dtype.value_or(input_tensor.dtype()),
        .memory_config = memory_config_,
        .device = device};
    steps.compute = conv_op::compute_config(
        compute_config_, input_tensor.dtype(), steps.config.weights_dtype.value_or(weight_tensor.dtype()));
    const std::optional<Tensor> bias = bias_tensor ? std::optional<Tensor>(*bias_tensor) : std::nullopt;
    const bool in_l1 = conv_op::on_device(input_tensor) && input_tensor.memory_config().is_l1();
    const auto [output, height, width, weights, prepared_bias] =
        conv_op::runs_in_dram(in_l1, dram_slice_config_)
            ? conv_op::conv_in_dram(input_tensor, weight_tensor, bias, steps, dram_slice_config_)
            : conv_op::conv_in_l1(input_tensor, weight_tensor, bias, steps);
    call.returns(output);
    if (return_weights_and_bias) {
        call.returns(weights);
        if (prepared_bias) {
            call.returns(*prepared_bias);
        }
    }
    const std::tuple<OutputHeight, OutputWidth> size{height, width};
    const std::tuple<Tensor, std::optional<Tensor>> parameters{weights, prepared_bias};
    if (return_output_dim && return_weights_and_bias) {
        return std::make_tuple(output, size, parameters);
    }
    if (return_output_dim) {
        return std::make_tuple(output, size);
    }
    if (return_weights_and_bias) {
        return std::make_tuple(output, parameters);
    }
    return output;
}

}  // namespace ttnn
