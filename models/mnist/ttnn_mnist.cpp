// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/ttnn_mnist.hpp"

#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/data_movement/reshape_view/reshape.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "zoo/op_args.hpp"

namespace zoo::mnist::functional {

// x [1, 1, batch * side * side, channels].
FeatureMap block(const Config&, const ConvParameters& parameters, const FeatureMap& x) {
    FeatureMap inner = conv2d(x, parameters, {.padding = all_sides(1)});
    inner.tensor = ttnn::relu(inner.tensor);
    return max_pool2d(inner, {.memory_config = ttnn::DRAM_MEMORY_CONFIG});
}

FeatureMap features(const Config& config, const Parameters& parameters, const FeatureMap& images) {
    FeatureMap x = images;
    for (const ConvParameters& convolution : parameters.convolutions) {
        x = block(config, convolution, x);
    }
    return x;
}

// x [1, 1, batch * side * side, channels].
ttnn::Tensor classifier(const Config&, const Parameters& parameters, const FeatureMap& x) {
    const ttnn::Tensor rows = ttnn::to_layout(x.tensor, ttnn::Layout::ROW_MAJOR);
    const ttnn::Tensor flat = ttnn::reshape(rows, ttnn::Shape{1, 1, x.batch, x.height * x.width * x.channels});
    const ttnn::Tensor hidden = linear(
        ttnn::to_layout(flat, ttnn::Layout::TILE), parameters.fc1.weight,
        {.bias = parameters.fc1.bias, .activation = "relu"});
    return linear(hidden, parameters.fc2.weight, {.bias = parameters.fc2.bias});
}

ttnn::Tensor mnist(const Config& config, const Parameters& parameters, const FeatureMap& images) {
    return classifier(config, parameters, features(config, parameters, images));
}

}  // namespace zoo::mnist::functional
