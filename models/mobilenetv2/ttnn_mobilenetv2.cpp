// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/ttnn_mobilenetv2.hpp"

#include "ttnn/operations/core/to_layout/to_layout_op.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "ttnn/operations/eltwise/unary/unary.hpp"
#include "zoo/op_args.hpp"

namespace zoo::mobilenetv2::functional {
namespace {

FeatureMap convolution(const ConvParameters& parameters, const FeatureMap& x, std::int64_t stride = 1) {
    return conv2d(
        x, parameters,
        {.stride = square(static_cast<std::uint32_t>(stride)), .padding = all_sides(parameters.kernel()[0] / 2)});
}

FeatureMap relu6(FeatureMap x) {
    x.tensor = ttnn::relu6(x.tensor);
    return x;
}

}  // namespace

// images [1, 1, batch * side * side, 3], ROW_MAJOR.
FeatureMap stem(const Config&, const ConvParameters& parameters, const FeatureMap& images) {
    return relu6(convolution(parameters, images, 2));
}

// x [1, 1, batch * side * side, in].
FeatureMap inverted_residual(
    const Config&, const BlockParameters& parameters, const BlockShape& shape, const FeatureMap& x) {
    FeatureMap inner = parameters.expand ? relu6(convolution(*parameters.expand, x)) : x;
    inner = relu6(convolution(parameters.depthwise, inner, shape.stride));
    FeatureMap out = convolution(parameters.project, inner);
    if (shape.residual()) {
        out.tensor = ttnn::add(x.tensor, out.tensor);
    }
    return out;
}

FeatureMap features(const Config& config, const Parameters& parameters, const FeatureMap& images) {
    FeatureMap x = stem(config, parameters.stem, images);
    const std::vector<BlockShape> shapes = config.blocks();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        x = inverted_residual(config, parameters.blocks[i], shapes[i], x);
    }
    return relu6(convolution(parameters.last, x));
}

// x [1, 1, batch * side * side, last_width].
ttnn::Tensor classifier(const Config&, const LinearParameters& parameters, const FeatureMap& x) {
    const FeatureMap mean = global_avg_pool2d(x, {.memory_config = ttnn::DRAM_MEMORY_CONFIG});
    return linear(ttnn::to_layout(mean.tensor, ttnn::Layout::TILE), parameters.weight, {.bias = parameters.bias});
}

ttnn::Tensor mobilenetv2(const Config& config, const Parameters& parameters, const FeatureMap& images) {
    return classifier(config, parameters.classifier, features(config, parameters, images));
}

}  // namespace zoo::mobilenetv2::functional
