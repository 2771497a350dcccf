// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/conv/conv2d/prepare_conv2d_weights.hpp>

#include <ttnn/tensor/tensor_ops.hpp>

#include "core/data_type.hpp"
#include "core/fatal.hpp"
#include "core/tensor_impl.hpp"
#include "ops/conv/conv2d_steps.hpp"

namespace ttnn::operations::conv::conv2d {

using namespace ttnn_cpu;
using namespace ttnn_cpu::conv_op;

namespace {

// The decisions of a conv2d with these arguments, as far as its weights depend on them.
WeightPlan plan_weights(
    const ConvShape& given, MemoryConfig memory, Layout layout, bool has_bias, MeshDevice* device, Conv2dConfig config,
    const DeviceComputeKernelConfig& compute, DataType input_dtype, DataType output_dtype,
    const std::optional<const Conv2dSliceConfig>& slice_config) {
    check_shape(given);
    check_config(config);
    ConvShape shape = given;
    bool is_matmul = shape.is_matmul(config);
    if (folds_stride(given, config, memory, layout)) {
        shape = folded_shape(given);
        is_matmul = given.kernel == given.stride;
    }
    const bool one_dimensional = given.kernel[0] == 1 && given.input[0] == 1;
    const bool sliced =
        runs_in_dram(memory.buffer_type() == BufferType::L1, slice_config) && !one_dimensional && !is_matmul;
    if (sliced) {
        const SlicedConv op({shape, layout, input_dtype, output_dtype, has_bias, config, compute, device});
        const Pair output = shape.output();
        const SliceConfig chosen = sliding::choose_slices(
            op, shape.input, output, slice_config ? std::optional<SliceConfig>(*slice_config) : std::nullopt,
            config.output_layout, *device);
        const Rect first = sliding::slices(chosen, output, config.output_layout).front();
        if (chosen.num_slices > 1) {
            memory = op.input_memory(first);
            shape = op.slice_shape(first);
            layout = Layout::ROW_MAJOR;
        }
    }
    const bool auto_shard = !memory.is_sharded() && !config.shard_layout;
    if (!memory.is_sharded()) {
        choose_shard_layout(shape, config, compute, input_dtype, output_dtype, layout, is_matmul, has_bias, *device);
    }
    const InputPlacement placement = place_input(shape, memory, layout, config, is_matmul, *device);
    const ParallelConfig parallel = sliding::parallel_config_of(placement.memory);
    const std::uint32_t alignment = channels_alignment(parallel.scheme, layout, false, is_matmul, placement.memory);
    const auto channels =
        static_cast<std::uint32_t>(round_up(shape.in_channels, std::size_t{parallel.cores_channels()} * alignment));
    const ConvPlan plan = make_plan(
        shape, parallel, channels, config, compute, device->compute_with_storage_grid_size(), is_matmul, has_bias,
        input_dtype);
    return weight_plan(given, shape, plan, config, is_matmul && auto_shard);
}

}  // namespace

ttnn::Tensor prepare_conv_weights(
    const ttnn::Tensor& weight_tensor, const ttnn::MemoryConfig& input_memory_config, Layout input_layout,
    const std::string& weights_format, uint32_t in_channels, uint32_t out_channels, uint32_t batch_size,
    uint32_t input_height, uint32_t input_width, std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, std::array<uint32_t, 2> dilation,
    bool has_bias, uint32_t groups, MeshDevice* device, DataType input_dtype,
    const std::optional<const DataType>& output_dtype, const std::optional<const Conv2dConfig>& conv_config_,
    const std::optional<const DeviceComputeKernelConfig>& compute_config_,
    const std::optional<const Conv2dSliceConfig>& dram_slice_config_) {
    TT_FATAL(weights_format == "OIHW", "prepare_conv_weights: weights_format must be OIHW, not {}", weights_format);
    Conv2dConfig config = conv_config_.value_or(Conv2dConfig());
    config.weights_dtype = config.weights_dtype.value_or(weight_tensor.dtype());
    const WeightPlan plan = plan_weights(
        {batch_size,
         in_channels,
         out_channels,
         {input_height, input_width},
         kernel_size,
         stride,
         sliding_window::get_pair_n4_padding(padding),
         dilation,
         groups},
        input_memory_config, input_layout, has_bias, device, config,
        compute_config(compute_config_, input_dtype, *config.weights_dtype), input_dtype,
        output_dtype.value_or(input_dtype), dram_slice_config_);
    return prepare_weights(weight_tensor, plan, device);
}

ttnn::Tensor prepare_conv_bias(
    const ttnn::Tensor& bias_tensor, const ttnn::MemoryConfig& input_memory_config, Layout input_layout,
    uint32_t in_channels, uint32_t out_channels, uint32_t batch_size, uint32_t input_height, uint32_t input_width,
    std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, std::array<uint32_t, 2> dilation,
    uint32_t groups, MeshDevice* device, DataType input_dtype, const std::optional<const DataType>& output_dtype,
    const std::optional<const Conv2dConfig>& conv_config_,
    const std::optional<const DeviceComputeKernelConfig>& compute_config_,
    const std::optional<const Conv2dSliceConfig>& dram_slice_config_) {
    TT_FATAL(bias_tensor.storage_type() == StorageType::HOST, "conv bias should be placed on host");
    const Conv2dConfig config = conv_config_.value_or(Conv2dConfig());
    TT_FATAL(config.weights_dtype, "prepare_conv_bias requires conv_config.weights_dtype to be set.");
    const WeightPlan plan = plan_weights(
        {batch_size,
         in_channels,
         out_channels,
         {input_height, input_width},
         kernel_size,
         stride,
         sliding_window::get_pair_n4_padding(padding),
         dilation,
         groups},
        input_memory_config, input_layout, true, device, config,
        compute_config(compute_config_, input_dtype, *config.weights_dtype), input_dtype,
        output_dtype.value_or(input_dtype), dram_slice_config_);
    return prepare_bias(bias_tensor, out_channels, plan, *config.weights_dtype, device);
}

}  // namespace ttnn::operations::conv::conv2d
