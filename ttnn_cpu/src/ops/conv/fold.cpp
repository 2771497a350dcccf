// SPDX-License-Identifier: Apache-2.0
#include <ttnn/operations/data_movement/fold/fold.hpp>

#include <algorithm>
#include <cstring>

#include <ttnn/operations/core/to_layout/to_layout_op.hpp>
#include <ttnn/operations/core/to_memory_config/to_memory_config_op.hpp>
#include <ttnn/operations/data_movement/pad/pad.hpp>
#include <ttnn/operations/data_movement/reshape_view/reshape.hpp>
#include <ttnn/operations/data_movement/slice/slice.hpp>
#include <ttnn/operations/data_movement/transpose/transpose.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/launch.hpp"
#include "core/recorder.hpp"
#include "kernels/parallel.hpp"
#include "ops/data_movement/common.hpp"
#include "ops/data_movement/page_buffers.hpp"
#include "ops/data_movement/permute.hpp"

namespace ttnn {

using namespace ttnn_cpu;
using tt::tt_metal::PageConfig;
using tt::tt_metal::ShardSpec;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;

namespace {

struct FoldPlan {
    std::size_t batch, height, width, channels;  // of the input
    std::size_t row_stride;                      // elements of a stored row of the input
    std::size_t stride_h, stride_w;
    std::size_t top, left, front;
    std::size_t out_h, out_w, out_channels;  // out_channels: of a pixel of the padded input
    std::size_t out_stride;
    std::size_t element_bytes;
};

void fold_row(const FoldPlan& plan, std::size_t image, std::size_t y, const std::byte* in, std::byte* out) {
    const std::size_t bytes = plan.element_bytes;
    std::memset(out, 0, plan.out_w * plan.out_stride * bytes);
    for (std::size_t x = 0; x < plan.out_w; ++x) {
        for (std::size_t i = 0; i < plan.stride_h * plan.stride_w; ++i) {
            // Wraps around in front of the image.
            const std::size_t in_y = y * plan.stride_h + i / plan.stride_w - plan.top;
            const std::size_t in_x = x * plan.stride_w + i % plan.stride_w - plan.left;
            if (in_y >= plan.height || in_x >= plan.width) {
                continue;
            }
            std::byte* const to = out + (x * plan.out_stride + i * plan.out_channels + plan.front) * bytes;
            const std::size_t pixel = (image * plan.height + in_y) * plan.width + in_x;
            std::memcpy(to, in + pixel * plan.row_stride * bytes, plan.channels * bytes);
        }
    }
}

std::array<uint32_t, 6> six(
    const std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>, std::array<uint32_t, 6>>& padding) {
    if (const auto* both = std::get_if<std::array<uint32_t, 2>>(&padding)) {
        return {(*both)[0], (*both)[0], (*both)[1], (*both)[1], 0, 0};
    }
    if (const auto* sides = std::get_if<std::array<uint32_t, 4>>(&padding)) {
        return {(*sides)[0], (*sides)[1], (*sides)[2], (*sides)[3], 0, 0};
    }
    return std::get<std::array<uint32_t, 6>>(padding);
}

// Interleaved where the input is; a height sharded input keeps its cores.
MemoryConfig output_memory(
    const Tensor& input, const std::optional<MemoryConfig>& wanted, const std::optional<CoreRangeSet>& core_grid,
    std::uint32_t rows, std::uint32_t columns) {
    if (wanted && (!wanted->is_sharded() || wanted->shard_spec())) {
        return *wanted;
    }
    if (!input.is_sharded() && !wanted) {
        return MemoryConfig(TensorMemoryLayout::INTERLEAVED, input.memory_config().buffer_type());
    }
    const CoreRangeSet grid = core_grid            ? *core_grid
                              : input.is_sharded() ? input.shard_spec()->grid
                                                   : CoreRangeSet(CoreRange({0, 0}, {1, 1}));
    const auto height = static_cast<std::uint32_t>(divide_up(rows, grid.num_cores()));
    return MemoryConfig(TensorMemoryLayout::HEIGHT_SHARDED, BufferType::L1, ShardSpec(grid, {height, columns}));
}

// [N, C, H, W] to [N, H/sh, W/sw, sh*sw*C] by tt-metal's steps. Padding comes behind only, and up to whole tiles: it is
// `output_shape` that cuts them off again.
Tensor fold_by_transposes(
    const Tensor& input, std::uint32_t stride_h, std::uint32_t stride_w, const std::array<uint32_t, 6>& padding,
    const std::optional<const Shape>& output_shape) {
    TT_FATAL(
        !input.is_sharded() && input.layout() == Layout::ROW_MAJOR,
        "Fold: with use_transpose_as_fold the embedded provider takes interleaved ROW_MAJOR tensors, not {} {}",
        ttnn_cpu::to_string(input.memory_config().memory_layout()), ttnn_cpu::to_string(input.layout()));
    const Shape& shape = input.logical_shape();
    const std::uint32_t batch = shape[0];
    const std::uint32_t channels = shape[1] + padding[5];
    const auto height = static_cast<std::uint32_t>(round_up(shape[2] + padding[0], kTileSide));
    const auto width = static_cast<std::uint32_t>(round_up(shape[3] + padding[2], kTileSide));
    TT_FATAL(
        height % stride_h == 0 && width % stride_w == 0,
        "Fold: the height and width {}x{}, padded to whole tiles, must be divisible by the strides {}x{}", height,
        width, stride_h, stride_w);
    const std::uint32_t out_h = height / stride_h;
    const std::uint32_t out_w = width / stride_w;
    Tensor result = pad(input, Array4D{batch, channels, height, width}, Array4D{0, 0, 0, 0}, 0.0F);
    result = permute_op(result, {0, 3, 1, 2}, L1_MEMORY_CONFIG, 0.0F);
    result = reshape(result, Shape{batch, out_w, channels * stride_w, height}, L1_MEMORY_CONFIG);
    result = transpose(result, 2, 3, L1_MEMORY_CONFIG);
    result = reshape(result, Shape{batch, out_w, out_h, channels * stride_w * stride_h}, L1_MEMORY_CONFIG);
    result = transpose(result, 1, 2, L1_MEMORY_CONFIG);
    if (!output_shape) {
        return result;
    }
    TT_FATAL(output_shape->rank() == 4, "Fold: output_shape {} must have rank 4", ttnn_cpu::to_string(*output_shape));
    const Array4D ends{(*output_shape)[0], (*output_shape)[1], (*output_shape)[2], (*output_shape)[3]};
    return slice(result, Array4D{0, 0, 0, 0}, ends, Array4D{1, 1, 1, 1}, L1_MEMORY_CONFIG);
}

}  // namespace

Tensor fold(
    const Tensor& input_tensor, uint32_t stride_h, uint32_t stride_w, bool use_transpose_as_fold,
    const std::optional<const Shape>& output_shape,
    std::variant<std::array<uint32_t, 2>, std::array<uint32_t, 4>, std::array<uint32_t, 6>> padding,
    const std::optional<CoreRangeSet>& core_grid, const std::optional<MemoryConfig>& override_memory_config,
    bool collapse_output) {
    const std::array<uint32_t, 6> pad = six(padding);
    ApiCall call("ttnn::fold", {&input_tensor}, [&](JsonText& json) {
        json.tensor("input_tensor", 0)
            .field("stride_h", stride_h)
            .field("stride_w", stride_w)
            .field("use_transpose_as_fold", use_transpose_as_fold)
            .field("output_shape", std::optional<Shape>(output_shape))
            .field("padding", pad)
            .field("core_grid", core_grid)
            .field("override_memory_config", override_memory_config)
            .field("collapse_output", collapse_output);
    });
    check_device_tensors("fold", {&input_tensor});
    const Shape& shape = input_tensor.logical_shape();
    TT_FATAL(shape.rank() == 4, "Fold: the input must have rank 4, but its shape is {}", ttnn_cpu::to_string(shape));
    TT_FATAL(stride_h > 0 && stride_w > 0, "Fold: strides {} and {} must be positive", stride_h, stride_w);
    TT_FATAL(
        !(use_transpose_as_fold && collapse_output),
        "Fold: collapse_output=True is not supported with use_transpose_as_fold=True");
    if (use_transpose_as_fold) {
        return call.returns(fold_by_transposes(input_tensor, stride_h, stride_w, pad, output_shape));
    }
    TT_FATAL(
        !input_tensor.is_sharded() ||
            input_tensor.memory_config().memory_layout() == TensorMemoryLayout::HEIGHT_SHARDED,
        "fold op does not support non height-sharding!");
    const Tensor input =
        input_tensor.layout() == Layout::TILE ? to_layout(input_tensor, Layout::ROW_MAJOR) : input_tensor;
    const std::size_t batch = shape[0];
    const std::size_t height = shape[1];
    const std::size_t width = shape[2];
    const std::size_t channels = shape[3];
    const std::size_t padded_h = height + pad[0] + pad[1];
    const std::size_t padded_w = width + pad[2] + pad[3];
    TT_FATAL(
        padded_h % stride_h == 0 && padded_w % stride_w == 0,
        "Fold: the padded height and width {}x{} must be divisible by the strides {}x{}", padded_h, padded_w, stride_h,
        stride_w);
    const std::size_t pixel_channels = channels + pad[4] + pad[5];
    const auto out_h = static_cast<std::uint32_t>(padded_h / stride_h);
    const auto out_w = static_cast<std::uint32_t>(padded_w / stride_w);
    const auto out_c = static_cast<std::uint32_t>(pixel_channels * stride_h * stride_w);
    const Shape result{shape[0], out_h, out_w, out_c};
    TT_FATAL(
        !output_shape || *output_shape == result, "Fold: output_shape {} is not {}, which the embedded provider gives",
        ttnn_cpu::to_string(*output_shape), ttnn_cpu::to_string(result));
    const auto rows = static_cast<std::uint32_t>(batch * out_h * out_w);
    const TensorSpec spec(
        collapse_output ? Shape{1, 1, rows, out_c} : result,
        TensorLayout(
            input.dtype(), PageConfig(Layout::ROW_MAJOR),
            output_memory(input_tensor, override_memory_config, core_grid, rows, out_c)));
    const FoldPlan plan{
        .batch = batch,
        .height = height,
        .width = width,
        .channels = channels,
        .row_stride = input.tensor_spec().physical_shape().width(),
        .stride_h = stride_h,
        .stride_w = stride_w,
        .top = pad[0],
        .left = pad[2],
        .front = pad[4],
        .out_h = out_h,
        .out_w = out_w,
        .out_channels = pixel_channels,
        .out_stride = spec.physical_shape().width(),
        .element_bytes = input.element_size()};
    return call.returns(
        launch({.name = "Fold",
                .attributes = JsonText()
                                  .field("stride_h", stride_h)
                                  .field("stride_w", stride_w)
                                  .field("padding", pad)
                                  .field("output_mem_config", spec.memory_config())
                                  .str(),
                .inputs = {input},
                .output_specs = {spec},
                .create_program =
                    [&](Numerics) {
                        Program program;
                        program.core_count = cores_for(spec, *input.device());
                        program.circular_buffer_bytes =
                            spec.memory_config().is_sharded()
                                ? 0
                                : 2 * round_up(std::uint64_t{out_c} * plan.element_bytes, 32);
                        // On the card another op pads first.
                        if (pad != std::array<uint32_t, 6>{} && !input.is_sharded()) {
                            program.circular_buffer_bytes = std::max(
                                program.circular_buffer_bytes,
                                pad_row_buffers(input, pixel_channels * plan.element_bytes, pad[4] != 0));
                        }
                        program.kernel = [plan](std::span<const BufferRef> in, std::span<const BufferRef> out) {
                            kernels::parallel_for(plan.batch * plan.out_h, [&](std::size_t row) {
                                fold_row(
                                    plan, row / plan.out_h, row % plan.out_h, in[0].data,
                                    out[0].data + row * plan.out_w * plan.out_stride * plan.element_bytes);
                            });
                        };
                        return program;
                    }})
            .front());
}

}  // namespace ttnn
