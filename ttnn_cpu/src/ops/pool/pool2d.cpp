// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/pool/generic/generic_pools.hpp>

#include <ttnn/operations/sliding_window/sliding_window.hpp>

#include "core/fatal.hpp"
#include "core/recorder.hpp"
#include "ops/conv/conv2d_steps.hpp"
#include "ops/pool/pool_run.hpp"

namespace ttnn::operations::pool {

using namespace ttnn_cpu;
using pool_op::Pool;
using pool_op::PoolType;

namespace {

void write_common(
    JsonText& json, const Pool& pool, const std::optional<const MemoryConfig>& memory_config,
    const std::optional<Op2DSliceConfig>& slice_config, bool deallocate_input, bool reallocate_halo_output) {
    json.tensor("input_tensor", 0)
        .field("batch_size", pool.window.batch)
        .field("input_h", pool.window.input[0])
        .field("input_w", pool.window.input[1])
        .field("channels", pool.channels)
        .field("kernel_size", pool.window.kernel)
        .field("stride", pool.window.stride)
        .field("padding", pool.window.padding)
        .field("dilation", pool.window.dilation)
        .field("ceil_mode", pool.ceil_mode)
        .field("memory_config", std::optional<MemoryConfig>(memory_config));
    slice_config ? json.field("dram_slice_config", conv_op::describe(*slice_config))
                 : json.field("dram_slice_config", std::nullopt);
    json.field("applied_shard_scheme", pool.scheme)
        .field("deallocate_input", deallocate_input)
        .field("reallocate_halo_output", reallocate_halo_output)
        .field("dtype", pool.dtype)
        .field("output_layout", pool.output_layout)
        .field("config_tensor_in_dram", pool.tables_in_dram);
}

}  // namespace

std::vector<Tensor> max_pool2d(
    const Tensor& input_tensor, uint32_t batch_size, uint32_t input_h, uint32_t input_w, uint32_t channels,
    std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, std::array<uint32_t, 2> dilation,
    bool ceil_mode, const std::optional<const MemoryConfig>& memory_config,
    const std::optional<Op2DSliceConfig>& dram_slice_config,
    std::optional<const TensorMemoryLayout> applied_shard_scheme, bool deallocate_input, bool reallocate_halo_output,
    bool return_indices, DataType dtype, Layout output_layout, bool config_tensor_in_dram) {
    const Pool pool{
        .type = PoolType::Max,
        .window =
            {.batch = batch_size,
             .input = {input_h, input_w},
             .kernel = kernel_size,
             .stride = stride,
             .padding = sliding_window::get_pair_n4_padding(padding),
             .dilation = dilation},
        .channels = channels,
        .ceil_mode = ceil_mode,
        .scheme = applied_shard_scheme ? std::optional<TensorMemoryLayout>(*applied_shard_scheme) : std::nullopt,
        .compute = std::nullopt,
        .dtype = dtype,
        .output_layout = output_layout,
        .tables_in_dram = config_tensor_in_dram};
    ApiCall call("ttnn::max_pool2d", {&input_tensor}, [&](JsonText& json) {
        write_common(json, pool, memory_config, dram_slice_config, deallocate_input, reallocate_halo_output);
        json.field("return_indices", return_indices);
    });
    TT_FATAL(!return_indices, "max_pool2d: return_indices is not supported by the embedded provider");
    return {call.returns(pool_op::run_pool(
        input_tensor, pool, {memory_config, deallocate_input, reallocate_halo_output}, dram_slice_config))};
}

Tensor avg_pool2d(
    const Tensor& input_tensor, uint32_t batch_size, uint32_t input_h, uint32_t input_w, uint32_t channels,
    std::array<uint32_t, 2> kernel_size, std::array<uint32_t, 2> stride,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>> padding, bool ceil_mode, bool count_include_pad,
    std::optional<int32_t> divisor_override, const std::optional<const MemoryConfig>& memory_config,
    const std::optional<Op2DSliceConfig>& dram_slice_config,
    std::optional<const TensorMemoryLayout> applied_shard_scheme,
    const std::optional<DeviceComputeKernelConfig>& compute_kernel_config, bool deallocate_input,
    bool reallocate_halo_output, DataType dtype, Layout output_layout, bool config_tensor_in_dram) {
    const Pool pool{
        .type = PoolType::Average,
        .window =
            {.batch = batch_size,
             .input = {input_h, input_w},
             .kernel = kernel_size,
             .stride = stride,
             .padding = sliding_window::get_pair_n4_padding(padding)},
        .channels = channels,
        .ceil_mode = ceil_mode,
        .count_include_pad = count_include_pad,
        .divisor = divisor_override,
        .scheme = applied_shard_scheme ? std::optional<TensorMemoryLayout>(*applied_shard_scheme) : std::nullopt,
        .compute = compute_kernel_config,
        .dtype = dtype,
        .output_layout = output_layout,
        .tables_in_dram = config_tensor_in_dram};
    ApiCall call("ttnn::avg_pool2d", {&input_tensor}, [&](JsonText& json) {
        write_common(json, pool, memory_config, dram_slice_config, deallocate_input, reallocate_halo_output);
        json.field("count_include_pad", count_include_pad).field("divisor_override", divisor_override);
        compute_kernel_config ? json.field("compute_kernel_config", conv_op::describe(*compute_kernel_config))
                              : json.field("compute_kernel_config", std::nullopt);
    });
    TT_FATAL(
        !divisor_override || *divisor_override > 0, "avg_pool2d: divisor_override {} must be positive",
        *divisor_override);
    return call.returns(pool_op::run_pool(
        input_tensor, pool, {memory_config, deallocate_input, reallocate_halo_output}, dram_slice_config));
}

}  // namespace ttnn::operations::pool
