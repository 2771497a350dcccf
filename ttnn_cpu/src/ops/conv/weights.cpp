// SPDX-License-Identifier: Apache-2.0
#include "ops/conv/weights.hpp"

#include <ttnn/operations/core/core.hpp>

#include "core/data_type.hpp"
#include "core/describe.hpp"
#include "core/fatal.hpp"
#include "core/tensor_impl.hpp"
#include "ops/data_movement/common.hpp"

namespace ttnn_cpu::conv_op {

using tt::tt_metal::PageConfig;
using tt::tt_metal::TensorLayout;
using tt::tt_metal::TensorSpec;
using tt::tt_metal::distributed::MeshDevice;
using ttnn::Shape;
using ttnn::Tensor;

namespace {

// [O, I, kh, kw] in float32.
struct Filters {
    std::size_t out = 0;
    std::size_t in = 0;
    std::size_t height = 0;
    std::size_t width = 0;
    std::vector<float> values;

    float& at(std::size_t o, std::size_t i, std::size_t h, std::size_t w) {
        return values[((o * in + i) * height + h) * width + w];
    }
};

Filters filters_of(const Tensor& weights) {
    TT_FATAL(weights.storage_type() == ttnn::StorageType::HOST, "Host conv weights should be placed on host");
    TT_FATAL(
        weights.layout() == Layout::ROW_MAJOR, "Host conv weights layout should be in row_major layout, but it is {}",
        to_string(weights.layout()));
    const Shape& shape = weights.logical_shape();
    TT_FATAL(shape.rank() == 4, "Host conv weights should be 4D tensor, but their shape is {}", to_string(shape));
    return {shape[0], shape[1], shape[2], shape[3], weights.to_vector<float>()};
}

// Groups as one dense filter with zeros.
Filters ungrouped(Filters from, std::size_t groups) {
    if (groups == 1) {
        return from;
    }
    Filters to{from.out, from.in * groups, from.height, from.width, {}};
    to.values.resize(from.values.size() * groups);
    const std::size_t taps = from.height * from.width;
    for (std::size_t o = 0; o < from.out; ++o) {
        const std::size_t group = std::min(o / std::max<std::size_t>(1, from.out / groups), groups - 1);
        std::copy_n(&from.at(o, 0, 0, 0), from.in * taps, &to.at(o, group * from.in, 0, 0));
    }
    return to;
}

// Taps of one step of the stride become channels.
Filters folded(Filters from, Pair stride) {
    if (stride == Pair{1, 1}) {
        return from;
    }
    Filters to{
        from.out,
        from.in * stride[0] * stride[1],
        divide_up(from.height, stride[0]),
        divide_up(from.width, stride[1]),
        {}};
    to.values.resize(to.out * to.in * to.height * to.width);
    for (std::size_t o = 0; o < from.out; ++o) {
        for (std::size_t i = 0; i < from.in; ++i) {
            for (std::size_t h = 0; h < from.height; ++h) {
                for (std::size_t w = 0; w < from.width; ++w) {
                    const std::size_t channel = (h % stride[0] * stride[1] + w % stride[1]) * from.in + i;
                    to.at(o, channel, h / stride[0], w / stride[1]) = from.at(o, i, h, w);
                }
            }
        }
    }
    return to;
}

// A view of a whole padded matrix on the device under its logical size.
Tensor upload(
    const std::vector<float>& matrix, const Shape& logical, const Shape& padded, DataType dtype, MeshDevice* device) {
    const TensorSpec whole(padded, TensorLayout(dtype, PageConfig(Layout::TILE), MemoryConfig()));
    const Tensor stored = Tensor::from_vector(matrix, whole).to_device(device, MemoryConfig());
    return make_view(stored, spec_with_padding(logical, dtype, Layout::TILE, MemoryConfig(), padded));
}

}  // namespace

WeightPlan weight_plan(
    const ConvShape& given, const ConvShape& shape, const ConvPlan& plan, const Conv2dConfig& config,
    bool interleaved_matmul) {
    const bool folds = given.stride != shape.stride;
    WeightPlan weights{
        .layout = {},
        .folded = folds ? given.stride : Pair{1, 1},
        .groups = given.groups,
        .dtype = config.weights_dtype};
    const std::size_t h = shape.kernel[0];
    const std::size_t w = shape.kernel[1];
    if (interleaved_matmul) {
        weights.layout = kernels::height_sharded_layout(h, w, shape.in_channels, true);
        weights.columns = static_cast<std::uint32_t>(round_up(shape.out_channels, kTile));
        return weights;
    }
    const std::size_t shards = plan.input.cores_channels();
    weights.columns =
        static_cast<std::uint32_t>(round_up(shape.out_channels, std::size_t{plan.output.cores_channels()} * kTile));
    switch (plan.input.scheme) {
        case TensorMemoryLayout::HEIGHT_SHARDED:
            weights.layout =
                kernels::height_sharded_layout(h, w, plan.in_channels_padded, config.enable_activation_reuse);
            break;
        case TensorMemoryLayout::BLOCK_SHARDED:
            weights.layout =
                kernels::block_sharded_layout(h, w, plan.in_channels_padded, shards, config.full_inner_dim);
            break;
        default:
            weights.layout =
                kernels::width_sharded_layout(h, w, plan.in_channels_padded, shards, config.act_block_w_div);
    }
    return weights;
}

Tensor prepare_weights(const Tensor& weights, const WeightPlan& plan, MeshDevice* device) {
    Filters filters = folded(ungrouped(filters_of(weights), plan.groups), plan.folded);
    const kernels::ConvLayout& layout = plan.layout;
    TT_FATAL(
        filters.height == layout.kernel_h && filters.width == layout.kernel_w && filters.in <= layout.channels &&
            filters.out <= plan.columns,
        "Conv2d: weights of shape {} with {} groups do not go with {} input channels, {} output channels and a {}x{} "
        "kernel",
        to_string(weights.logical_shape()), plan.groups, layout.channels, plan.columns, layout.kernel_h,
        layout.kernel_w);
    std::vector<float> matrix(layout.rows * plan.columns);
    for (const kernels::ConvSegment& segment : layout.segments) {
        for (std::size_t i = 0; i < segment.count && segment.channel + i < filters.in; ++i) {
            float* const row = matrix.data() + (segment.stored_row + i) * plan.columns;
            for (std::size_t o = 0; o < filters.out; ++o) {
                row[o] = filters.at(o, segment.channel + i, segment.tap_h, segment.tap_w);
            }
        }
    }
    return upload(
        matrix,
        Shape{
            1, 1, static_cast<std::uint32_t>(filters.in * filters.height * filters.width),
            static_cast<std::uint32_t>(filters.out)},
        Shape{1, 1, static_cast<std::uint32_t>(layout.rows), plan.columns}, plan.dtype.value_or(weights.dtype()),
        device);
}

Tensor prepare_bias(
    const Tensor& bias, std::uint32_t out_channels, const WeightPlan& plan, DataType dtype, MeshDevice* device) {
    const Shape& shape = bias.logical_shape();
    TT_FATAL(shape.rank() == 4, "Host conv bias should be 4D tensor, but its shape is {}", to_string(shape));
    TT_FATAL(
        shape[3] == out_channels, "Bias must have the same length as output channels: {} and {}", shape[3],
        out_channels);
    TT_FATAL(bias.layout() == Layout::ROW_MAJOR, "Host conv bias layout should be in row_major layout");
    TT_FATAL(
        shape[0] == 1 && shape[1] == 1 && shape[2] == 1,
        "Host conv bias shape is not correct: {}, and should be [1, 1, 1, {}]", to_string(shape), out_channels);
    std::vector<float> matrix(std::size_t{kTile} * plan.columns);
    const std::vector<float> values = bias.to_vector<float>();
    std::copy(values.begin(), values.end(), matrix.begin());
    return upload(matrix, Shape{1, 1, 1, out_channels}, Shape{1, 1, kTile, plan.columns}, dtype, device);
}

bool is_prepared_weights(const Tensor& weights, std::uint32_t out_channels, const std::optional<DataType>& dtype) {
    const Shape& shape = weights.logical_shape();
    return weights.layout() == Layout::TILE && shape.rank() == 4 && shape[0] == 1 && shape[1] == 1 &&
           shape[3] >= out_channels && (!dtype || weights.dtype() == *dtype);
}

bool is_prepared_bias(const Tensor& bias, std::uint32_t out_channels, const std::optional<DataType>& dtype) {
    return bias.layout() == Layout::TILE && bias.logical_shape()[-1] >= out_channels &&
           (!dtype || bias.dtype() == *dtype);
}

}  // namespace ttnn_cpu::conv_op
