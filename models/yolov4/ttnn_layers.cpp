// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/ttnn_layers.hpp"

#include <array>
#include <vector>

#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/data_movement/concat/concat.hpp"
#include "ttnn/operations/data_movement/slice/slice.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"

namespace zoo::yolov4::functional {

FeatureMap conv(const ConvLayer& layer, const FeatureMap& x) {
    FeatureMap y =
        zoo::conv2d(x, layer.parameters, {.stride = square(layer.stride), .padding = all_sides(layer.padding)});
    if (layer.activation == Activation::Mish) {
        y.tensor = ttnn::mish(y.tensor);
    } else if (layer.activation == Activation::Leaky) {
        y.tensor = ttnn::leaky_relu(y.tensor, kLeakySlope);
    }
    return y;
}

FeatureMap join(std::initializer_list<FeatureMap> maps) {
    FeatureMap joined = *maps.begin();
    std::vector<ttnn::Tensor> tensors;
    joined.channels = 0;
    for (const FeatureMap& map : maps) {
        tensors.push_back(map.tensor);
        joined.channels += map.channels;
    }
    joined.tensor = ttnn::concat(tensors, 3);
    return joined;
}

FeatureMap add(const FeatureMap& a, const FeatureMap& b) {
    FeatureMap sum = a;
    sum.tensor = ttnn::add(a.tensor, b.tensor);
    return sum;
}

FeatureMap channels_from(const FeatureMap& x, std::uint32_t first) {
    using Index = std::array<std::uint32_t, 4>;
    FeatureMap part = x;
    part.channels = x.channels - first;
    part.tensor = ttnn::slice(
        x.tensor, Index{0, 0, 0, first}, Index{1, 1, x.tensor.logical_shape()[2], x.channels}, Index{1, 1, 1, 1});
    return part;
}

FeatureMap max_pool(const FeatureMap& x, std::uint32_t kernel, std::uint32_t stride) {
    return zoo::max_pool2d(
        x, {.kernel = square(kernel),
            .stride = square(stride),
            .padding = all_sides(stride == 1 ? kernel / 2 : 0),
            .memory_config = ttnn::DRAM_MEMORY_CONFIG,
            .output_layout = ttnn::Layout::TILE});
}

// The op takes tiles only where the picture's rows fill them; in rows of pixels it takes any.
FeatureMap upsample2x(const FeatureMap& x) {
    FeatureMap rows = x;
    rows.tensor = ttnn::to_layout(x.tensor, ttnn::Layout::ROW_MAJOR);
    FeatureMap large = zoo::upsample(rows);
    large.tensor = ttnn::to_layout(large.tensor, ttnn::Layout::TILE);
    return large;
}

FeatureMap picture_map(const Config& config, const ttnn::Tensor& picture) {
    return {
        .tensor = picture,
        .batch = 1,
        .height = static_cast<std::uint32_t>(config.height),
        .width = static_cast<std::uint32_t>(config.width),
        .channels = 3};
}

}  // namespace zoo::yolov4::functional
