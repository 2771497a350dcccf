// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_optimized_layers.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "zoo/error.hpp"

namespace zoo::yolov4::optimized {

using ttnn::MemoryConfig;
using ttnn::Tensor;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

namespace {

// 1x1 convolutions run as matmuls, which fuse neither Mish nor leaky ReLU.
bool fuses(const ConvLayer& layer) { return layer.parameters.kernel() != square(1); }

std::optional<UnaryWithParam> fused(Activation activation) {
    switch (activation) {
        case Activation::Linear:
            return std::nullopt;
        case Activation::Leaky:
            return UnaryWithParam(UnaryOpType::LEAKY_RELU, kLeakySlope);
        case Activation::Mish:
            return UnaryWithParam(UnaryOpType::MISH, /*approximate=*/0.0F);
    }
    return std::nullopt;
}

// Of cores, in blocks.
std::uint32_t columns_of(const MemoryConfig& memory) {
    return static_cast<std::uint32_t>(memory.shard_spec().value().grid.bounding_box().grid_size().x);
}

// In place.
void activate(Activation activation, const Tensor& x) {
    if (activation == Activation::Mish) {
        (void)ttnn::mish(x, /*fast_and_approximate_mode=*/false, x.memory_config(), x);
    } else if (activation == Activation::Leaky) {
        (void)ttnn::leaky_relu(x, kLeakySlope, x.memory_config(), x);
    }
}

// Whether the convolution can work in the shards that its input has: of the wanted kind, and with whole tiles of its results for every
// column of cores.
bool suits(const ConvLayer& layer, const Stage& stage, const MemoryConfig& memory) {
    constexpr std::uint32_t kTile = 32;
    if (memory.memory_layout() != stage.shard_layout) {
        return false;
    }
    return stage.shard_layout != ttnn::TensorMemoryLayout::BLOCK_SHARDED ||
           layer.parameters.out_channels() % (columns_of(memory) * kTile) == 0;
}

// Where a map does not fit into L1 the convolution says by how much; this says which layer it is.
template <class Run>
FeatureMap named(const ConvLayer& layer, const Run& run) {
    try {
        return run();
    } catch (const std::runtime_error& error) {
        fail("yolov4::optimized", layer.name, ": ", error.what());
    }
}

// The shards of `memory` for another number of channels.
MemoryConfig with_channels(const MemoryConfig& memory, std::uint32_t channels) {
    tt::tt_metal::ShardSpec shards = memory.shard_spec().value();
    const bool by_channels = memory.memory_layout() == ttnn::TensorMemoryLayout::BLOCK_SHARDED;
    shards.shape[1] = by_channels ? channels / columns_of(memory) : channels;
    return MemoryConfig(memory.memory_layout(), memory.buffer_type(), shards);
}

// The input is freed if it is left behind.
Tensor moved(Tensor tensor, const MemoryConfig& memory) {
    if (tensor.memory_config() == memory) {
        return tensor;
    }
    Tensor there = ttnn::to_memory_config(tensor, memory);
    ttnn::deallocate(tensor);
    return there;
}

}  // namespace

const Stage& Layers::stage_of(std::uint32_t width) const {
    return place_.at(static_cast<std::uint32_t>(config_.width) / width);
}

FeatureMap Layers::run(const ConvLayer& layer, const FeatureMap& x, Conv2dArgs args) const {
    const Stage& stage = stage_of(x.width / layer.stride);
    args.stride = square(layer.stride);
    args.padding = all_sides(layer.padding);
    args.compute_kernel_config = place_.conv_kernel;
    args.config.activation = fuses(layer) ? fused(layer.activation) : std::nullopt;
    args.config.shard_layout = stage.shard_layout;
    args.config.reshard_if_not_optimal = layer.stride != 1 || !suits(layer, stage, x.tensor.memory_config());
    args.config.act_block_h_override = layer.padding == 0 ? 0 : stage.act_block_h;
    if (!x.tensor.is_sharded()) {
        args.slice_config = {.slice_type = ttnn::Conv2dSliceConfig::SliceType::L1_FULL};
    }
    FeatureMap y = named(layer, [&] { return zoo::conv2d(x, layer.parameters, args); });
    if (!fuses(layer)) {
        activate(layer.activation, y.tensor);
    }
    return y;
}

FeatureMap Layers::conv(const ConvLayer& layer, const FeatureMap& x) const {
    Conv2dArgs args;
    args.dtype = stage_of(x.width / layer.stride).dtype;
    return run(layer, x, args);
}

FeatureMap Layers::conv(const ConvLayer& layer, FeatureMap&& x) const {
    Conv2dArgs args;
    args.dtype = stage_of(x.width / layer.stride).dtype;
    args.config.deallocate_activation = true;
    FeatureMap y = run(layer, x, args);
    x = FeatureMap();
    return y;
}

FeatureMap Layers::head_conv(const ConvLayer& layer, FeatureMap&& x) const {
    Conv2dArgs args;
    args.dtype = ttnn::DataType::BFLOAT16;
    args.config.deallocate_activation = true;
    args.memory_config = place_.head;
    FeatureMap y = run(layer, x, args);
    x = FeatureMap();
    return y;
}

FeatureMap Layers::join(const std::vector<FeatureMap>& maps) const {
    const auto widest = std::ranges::max_element(
        maps, {}, [](const FeatureMap& map) { return map.tensor.shard_spec().value().num_cores(); });
    const MemoryConfig shards = widest->tensor.memory_config();
    FeatureMap joined = maps.front();
    std::vector<Tensor> tensors;
    joined.channels = 0;
    for (const FeatureMap& map : maps) {
        tensors.push_back(ttnn::to_memory_config(map.tensor, with_channels(shards, map.channels)));
        joined.channels += map.channels;
    }
    joined.tensor = ttnn::concat(tensors, 3, with_channels(shards, joined.channels));
    return joined;
}

FeatureMap Layers::take_and_join(std::vector<FeatureMap> maps) const {
    FeatureMap joined = join(maps);
    for (FeatureMap& map : maps) {
        free(map);
    }
    return joined;
}

FeatureMap Layers::add(FeatureMap&& a, FeatureMap&& b) const {
    b.tensor = moved(b.tensor, a.tensor.memory_config());
    ttnn::add_(a.tensor, b.tensor);
    free(b);
    return std::move(a);
}

FeatureMap Layers::channels_from(const FeatureMap& x, std::uint32_t first) const {
    using Index = std::array<std::uint32_t, 4>;
    FeatureMap part = x;
    part.channels = x.channels - first;
    part.tensor = ttnn::slice(
        x.tensor, Index{0, 0, 0, first}, Index{1, 1, x.tensor.logical_shape()[2], x.channels}, Index{1, 1, 1, 1},
        with_channels(x.tensor.memory_config(), part.channels));
    return part;
}

FeatureMap Layers::max_pool(const FeatureMap& x, std::uint32_t kernel, std::uint32_t stride) const {
    return zoo::max_pool2d(
        x, {.kernel = square(kernel),
            .stride = square(stride),
            .padding = all_sides(stride == 1 ? kernel / 2 : 0),
            .dtype = stage_of(x.width / stride).dtype,
            .output_layout = ttnn::Layout::TILE});
}

FeatureMap Layers::upsample(FeatureMap&& x, const FeatureMap& like) const {
    // Shards end in the padding of tiles, which the op would repeat: it works on interleaved rows of pixels.
    FeatureMap rows = x;
    Tensor interleaved = moved(std::exchange(x.tensor, Tensor()), place_.head);
    rows.tensor = ttnn::to_layout(interleaved, ttnn::Layout::ROW_MAJOR);
    ttnn::deallocate(interleaved);
    FeatureMap large = zoo::upsample(rows);
    free(rows);
    Tensor tiles = ttnn::to_layout(large.tensor, ttnn::Layout::TILE, like.tensor.dtype());
    ttnn::deallocate(large.tensor);
    large.tensor = moved(std::move(tiles), with_channels(like.tensor.memory_config(), large.channels));
    return large;
}

FeatureMap Layers::picture(const Tensor& picture) const {
    return {
        .tensor = picture,
        .batch = 1,
        .height = static_cast<std::uint32_t>(config_.height),
        .width = static_cast<std::uint32_t>(config_.width),
        .channels = 3};
}

void Layers::free(FeatureMap& x) { ttnn::deallocate(x.tensor); }

}  // namespace zoo::yolov4::optimized
