// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/pool/upsample/upsample.hpp>

#include <cmath>

#include <tt-metalium/work_split.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/pool_upsample.hpp"
#include "ops/conv/parallel.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn::operations::upsample {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

using Scale = std::variant<int, std::array<int, 2>, float, std::array<float, 2>>;

std::array<float, 2> scales(const Scale& scale) {
    return std::visit(
        [](const auto& value) -> std::array<float, 2> {
            if constexpr (requires { value[0]; }) {
                return {static_cast<float>(value[0]), static_cast<float>(value[1])};
            } else {
                return {static_cast<float>(value), static_cast<float>(value)};
            }
        },
        scale);
}

bool is_integer(const std::array<float, 2>& scale) {
    return scale[0] == std::floor(scale[0]) && scale[1] == std::floor(scale[1]);
}

void check(const Tensor& input, const std::array<float, 2>& scale, const std::string& mode) {
    TT_FATAL(mode == "nearest" || mode == "bilinear", "upsample: mode must be 'nearest' or 'bilinear', not '{}'", mode);
    TT_FATAL(
        input.logical_shape().rank() == 4, "upsample: the input must have rank 4, but its shape is {}",
        ttnn_cpu::to_string(input.logical_shape()));
    TT_FATAL(
        scale[0] > 0.0F && scale[1] > 0.0F, "upsample: scale_factor_h {} and scale_factor_w {} must be positive",
        scale[0], scale[1]);
    const TensorMemoryLayout memory = input.memory_config().memory_layout();
    if (mode == "bilinear") {
        TT_FATAL(is_integer(scale), "bilinear mode requires integer scale factors, got ({}, {})", scale[0], scale[1]);
        TT_FATAL(
            input.dtype() == DataType::BFLOAT16, "Bilinear upsample requires BFLOAT16 input, not {}",
            ttnn_cpu::to_string(input.dtype()));
        TT_FATAL(input.layout() == Layout::ROW_MAJOR, "Bilinear upsample requires ROW_MAJOR input");
        TT_FATAL(
            !input.is_sharded() || memory == TensorMemoryLayout::HEIGHT_SHARDED,
            "Bilinear upsample requires HEIGHT_SHARDED input tensor");
        return;
    }
    if (input.layout() == Layout::TILE) {
        TT_FATAL(
            input.padded_shape() == input.logical_shape(),
            "Tiled input must be tile-aligned (no padding difference): shape {}",
            ttnn_cpu::to_string(input.logical_shape()));
        TT_FATAL(
            is_integer(scale) && !input.is_sharded(),
            "Unsupported upsample configuration: tiles need integer scales and interleaved memory, but the scales are "
            "{} x {} "
            "and the memory is {}",
            scale[0], scale[1], ttnn_cpu::to_string(memory));
    }
}

MemoryConfig output_memory(
    const Tensor& input, const MemoryConfig& wanted, const std::array<float, 2>& scale, std::uint32_t rows,
    bool exact_shards) {
    if (!wanted.is_sharded()) {
        return wanted;
    }
    TT_FATAL(input.is_sharded(), "Output memory config is sharded but input memory config is not sharded");
    const ShardSpec& from = *input.shard_spec();
    ShardSpec shard = wanted.shard_spec().value_or(from);
    const std::uint32_t cores = sliding::parallel_config_of(input.memory_config()).cores_nhw();
    shard.shape = {
        exact_shards ? static_cast<std::uint32_t>(static_cast<float>(from.shape[0]) * scale[0] * scale[1])
                     : static_cast<std::uint32_t>(divide_up(rows, cores)),
        from.shape[1]};
    return MemoryConfig(wanted.memory_layout(), wanted.buffer_type(), shard);
}

}  // namespace

Tensor upsample(
    const Tensor& input_tensor, Scale scale_factor, const std::string& mode,
    const std::optional<MemoryConfig>& output_mem_config,
    const std::optional<DeviceComputeKernelConfig>& /*compute_kernel_config*/) {
    const std::array<float, 2> scale = scales(scale_factor);
    ApiCall call("ttnn::upsample", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("scale_factor", scale)
            .field("mode", mode)
            .field("output_mem_config", output_mem_config);
    });
    check_device_tensors("upsample", {&input_tensor});
    check(input_tensor, scale, mode);
    const bool bilinear = mode == "bilinear";
    Tensor input = input_tensor;
    MemoryConfig wanted = output_mem_config.value_or(input.memory_config());
    const Shape& shape = input.logical_shape();
    if (bilinear && !input.is_sharded()) {
        const std::uint32_t pixels = shape[0] * shape[1] * shape[2];
        const CoreCoord grid = input.device()->compute_with_storage_grid_size();
        const auto cores = static_cast<std::uint32_t>(std::min<std::size_t>(grid.x * grid.y, pixels));
        wanted = MemoryConfig(
            TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1,
            ShardSpec(
                tt::tt_metal::num_cores_to_corerangeset(cores, grid, true),
                {static_cast<std::uint32_t>(divide_up(pixels, cores)), shape[3]}));
        input = to_memory_config(input, wanted);
    }
    const Shape result{
        shape[0], static_cast<std::uint32_t>(std::floor(static_cast<float>(shape[1]) * scale[0])),
        static_cast<std::uint32_t>(std::floor(static_cast<float>(shape[2]) * scale[1])), shape[3]};
    const bool exact_shards =
        !bilinear && is_integer(scale) && input.memory_config().memory_layout() != TensorMemoryLayout::WIDTH_SHARDED;
    const TensorSpec spec(
        result, TensorLayout(
                    is_block_float(input.dtype()) ? DataType::BFLOAT16 : input.dtype(), PageConfig(Layout::ROW_MAJOR),
                    output_memory(input, wanted, scale, result[0] * result[1] * result[2], exact_shards)));
    const auto& from = input.tensor_spec().physical_shape();
    const auto& to = spec.physical_shape();
    const kernels::UpsampleImages images{
        .batch = shape[0],
        .in_h = shape[1],
        .in_w = shape[2],
        .channels = shape[3],
        .out_h = result[1],
        .out_w = result[2],
        .scale_h = scale[0],
        .scale_w = scale[1],
        .in = {input.dtype(), from.height(), from.width()},
        .out = {spec.data_type(), to.height(), to.width()}};
    Tensor output =
        launch({.name = "UpsampleOperation",
                .attributes = JsonText()
                                  .field("scale_factor_h", scale[0])
                                  .field("scale_factor_w", scale[1])
                                  .field("mode", mode)
                                  .field("output_mem_config", spec.memory_config())
                                  .str(),
                .inputs = {input},
                .output_specs = {spec},
                .create_program =
                    [&](Numerics) {
                        Program program;
                        program.core_count = cores_for(spec, *input.device());
                        const std::uint64_t row = round_up(storage_bytes(spec.data_type(), to.width()), 32);
                        const auto grid = input.device()->compute_with_storage_grid_size();
                        const bool one = input.logical_volume() / input.logical_shape()[-1] <= grid.x * grid.y;
                        program.circular_buffer_bytes =
                            input.layout() == Layout::TILE ? 2 * 32 * row * 2 : (one ? 1 : 2) * row;
                        program.kernel = [images, bilinear](
                                             std::span<const BufferRef> in, std::span<const BufferRef> out) {
                            bilinear ? kernels::upsample_bilinear(images, in[0].data, out[0].data)
                                     : kernels::upsample_nearest(images, in[0].data, out[0].data);
                        };
                        return program;
                    }})
            .front();
    if (output_mem_config && !output_mem_config->is_sharded() && output.memory_config() != *output_mem_config) {
        output = to_memory_config(output, *output_mem_config);
    }
    return call.returns(output);
}

}  // namespace ttnn::operations::upsample
