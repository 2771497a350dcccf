// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/ttnn_optimized_mobilenetv2.hpp"

#include "ttnn/operations/core/core.hpp"
#include "ttnn/operations/core/to_memory_config/to_memory_config_op.hpp"
#include "ttnn/operations/eltwise/binary/binary.hpp"
#include "zoo/op_args.hpp"

namespace zoo::mobilenetv2::optimized {

using ttnn::Tensor;
using ttnn::operations::op_slicing::Op2DSliceConfig;
using ttnn::operations::unary::UnaryOpType;
using ttnn::operations::unary::UnaryWithParam;

namespace {

enum class Activation { None, Relu6 };
enum class Input { Stays, Freed };

struct Step {
    std::int64_t stride = 1;
    Activation activation = Activation::Relu6;
    ttnn::DataType dtype = ttnn::DataType::BFLOAT8_B;
    Input input = Input::Freed;
};

FeatureMap convolution(
    const ConvParameters& parameters, const Placement& place, const Placement::Conv& conv, const FeatureMap& x,
    const Step& step) {
    ttnn::Conv2dConfig config;
    if (step.activation == Activation::Relu6) {
        config.activation = UnaryWithParam(UnaryOpType::RELU6);
    }
    config.deallocate_activation = step.input == Input::Freed;
    config.shard_layout = conv.shard_layout;
    config.act_block_h_override = conv.act_block_h;
    config.reshard_if_not_optimal = true;
    config.enable_act_double_buffer = conv.double_buffer;
    config.enable_weights_double_buffer = true;
    return conv2d(
        x, parameters,
        {.stride = square(static_cast<std::uint32_t>(step.stride)),
         .padding = all_sides(parameters.kernel()[0] / 2),
         .dtype = step.dtype,
         .config = config,
         .compute_kernel_config = place.conv_kernel,
         .slice_config = Op2DSliceConfig{.slice_type = Op2DSliceConfig::SliceType::L1_FULL}});
}

void free_if_in_l1(const FeatureMap& x) {
    if (x.tensor.memory_config().is_l1()) {
        Tensor tensor = x.tensor;
        ttnn::deallocate(tensor);
    }
}

}  // namespace

// images [1, 1, batch * side * side, place.input_channels], ROW_MAJOR, in DRAM.
FeatureMap stem(const Config&, const ConvParameters& parameters, const Placement& place, const FeatureMap& images) {
    return convolution(parameters, place, place.stem, images, {.stride = 2, .dtype = place.stem_dtype});
}

// x [1, 1, batch * side * side, in].
FeatureMap inverted_residual(
    const Config&, const BlockParameters& parameters, const Placement& place, const Placement::Block& block,
    const BlockShape& shape, const FeatureMap& x) {
    FeatureMap inner = x;
    Input input = shape.residual() ? Input::Stays : Input::Freed;
    if (parameters.expand) {
        inner =
            convolution(*parameters.expand, place, block.expand, x, {.dtype = block.expanded_dtype, .input = input});
        input = Input::Freed;
    }
    inner = convolution(
        parameters.depthwise, place, block.depthwise, inner,
        {.stride = shape.stride, .dtype = block.filtered_dtype, .input = input});
    FeatureMap out = convolution(
        parameters.project, place, block.project, inner, {.activation = Activation::None, .dtype = place.stream_dtype});
    if (shape.residual()) {
        // Where TTNN cut the two alike, this is x itself.
        const Tensor identity = ttnn::to_memory_config(x.tensor, out.tensor.memory_config());
        ttnn::add_(out.tensor, identity);
        free_if_in_l1(x);
    }
    return out;
}

FeatureMap features(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images) {
    FeatureMap x = stem(config, parameters.stem, place, images);
    const std::vector<BlockShape> shapes = config.blocks();
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        x = inverted_residual(config, parameters.blocks[i], place, place.blocks[i], shapes[i], x);
    }
    return convolution(parameters.last, place, place.last, x, {.dtype = place.stream_dtype});
}

// x [1, 1, batch * side * side, last_width].
Tensor classifier(const Config&, const LinearParameters& parameters, const Placement& place, const FeatureMap& x) {
    FeatureMap pixels = x;
    if (x.tensor.memory_config() != place.pixels) {
        pixels.tensor = ttnn::to_memory_config(x.tensor, place.pixels);
        free_if_in_l1(x);
    }
    const FeatureMap mean =
        global_avg_pool2d(pixels, {.compute_kernel_config = place.head_kernel, .output_layout = ttnn::Layout::TILE});
    ttnn::deallocate(pixels.tensor);
    Tensor means = ttnn::to_memory_config(mean.tensor, place.head);
    Tensor logits = linear(
        means, parameters.weight,
        {.bias = parameters.bias,
         .memory_config = place.head,
         .program_config = place.classifier,
         .compute_kernel_config = place.head_kernel});
    ttnn::deallocate(means);
    return logits;
}

Tensor mobilenetv2(
    const Config& config, const Parameters& parameters, const Placement& place, const FeatureMap& images) {
    return classifier(config, parameters.classifier, place, features(config, parameters, place, images));
}

}  // namespace zoo::mobilenetv2::optimized
