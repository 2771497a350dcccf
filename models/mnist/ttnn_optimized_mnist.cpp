// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/ttnn_optimized_mnist.hpp"

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "zoo/op_args.hpp"

namespace zoo::mnist::optimized {

using ttnn::Tensor;
using ttnn::operations::op_slicing::Op2DSliceConfig;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

// x [1, 1, batch * side * side, channels].
FeatureMap block(const Config&, const ConvParameters& parameters, const Placement& place, const FeatureMap& x) {
    ttnn::Conv2dConfig config;
    config.activation = UnaryWithParam(UnaryOpType::RELU);
    config.deallocate_activation = true;
    config.shard_layout = place.shard_layout;
    config.reshard_if_not_optimal = true;
    config.enable_act_double_buffer = true;
    config.enable_weights_double_buffer = true;
    const FeatureMap inner = conv2d(
        x, parameters,
        {.padding = all_sides(1),
         .dtype = place.activation_dtype,
         .config = config,
         .compute_kernel_config = place.kernel,
         .slice_config = Op2DSliceConfig{.slice_type = Op2DSliceConfig::SliceType::L1_FULL}});
    return max_pool2d(inner, {.deallocate_input = true, .dtype = place.activation_dtype});
}

FeatureMap features(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images) {
    FeatureMap x = images;
    for (const ConvParameters& convolution : parameters.convolutions) {
        x = block(config, convolution, place, x);
    }
    return x;
}

// x [1, 1, batch * side * side, channels].
Tensor classifier(const Config&, const Parameters& parameters, const Placement& place, const FeatureMap& x) {
    Tensor rows = ttnn::to_memory_config(x.tensor, place.head);
    if (x.tensor.memory_config().is_sharded()) {
        Tensor sharded = x.tensor;
        ttnn::deallocate(sharded);
    }
    const Tensor flat = ttnn::reshape(
        ttnn::to_layout(rows, ttnn::Layout::ROW_MAJOR), ttnn::Shape{1, 1, x.batch, x.height * x.width * x.channels});
    Tensor tiles = ttnn::to_layout(flat, ttnn::Layout::TILE);
    const LinearArgs args{
        .memory_config = place.head, .compute_kernel_config = place.kernel, .core_grid = place.head_grid};
    LinearArgs first = args;
    first.bias = parameters.fc1.bias;
    first.activation = "relu";
    Tensor hidden = linear(tiles, parameters.fc1.weight, first);
    ttnn::deallocate(tiles);
    LinearArgs second = args;
    second.bias = parameters.fc2.bias;
    Tensor logits = linear(hidden, parameters.fc2.weight, second);
    ttnn::deallocate(hidden);
    return logits;
}

Tensor mnist(const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images) {
    return classifier(config, parameters, place, features(config, parameters, place, images));
}

}  // namespace zoo::mnist::optimized
