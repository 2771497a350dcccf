// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/preprocess.hpp"

#include "models/resnet/images.hpp"
#include "zoo/device_tensor.hpp"

namespace zoo::resnet {
namespace {

const DeviceFormat kPixels{.layout = ttnn::Layout::ROW_MAJOR};

Shape pixels_shape(const Config& config, std::int64_t batch, const ParameterFormat& format) {
    return {1, 1, batch * config.image_size * config.image_size, format.input_channels};
}

}  // namespace

ParameterFormat functional_format() { return {}; }

ParameterFormat optimized_format(const Placement& place) {
    return {.weight_dtype = place.weight_dtype, .input_channels = place.input_channels};
}

ConvWeights fold(const Config& config, const ConvNorm& weights) {
    return fold_batch_norm(weights.conv, weights.norm, static_cast<float>(config.batch_norm_eps));
}

ConvParameters preprocess_stem(const Config& config, const ConvNorm& weights, const ParameterFormat& format) {
    ConvWeights folded = fold(config, weights);
    folded.weight = pad_input_channels(folded.weight, format.input_channels);
    return ConvParameters(folded, format.weight_dtype);
}

BlockParameters preprocess(const Config& config, const BlockWeights& weights, const ParameterFormat& format) {
    const auto conv = [&](const ConvNorm& from) { return ConvParameters(fold(config, from), format.weight_dtype); };
    BlockParameters block{.conv1 = conv(weights.conv1), .conv2 = conv(weights.conv2)};
    if (weights.conv3) {
        block.conv3 = conv(*weights.conv3);
    }
    if (weights.downsample) {
        block.downsample = conv(*weights.downsample);
    }
    return block;
}

LinearParameters preprocess(const Linear& weights, const ParameterFormat& format, ttnn::MeshDevice& device) {
    return {
        .weight = from_host(transpose(weights.weight), {.dtype = format.weight_dtype}, &device),
        .bias = from_host(reshape(weights.bias, {1, -1}), {}, &device)};
}

Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device) {
    Parameters parameters{
        .stem = preprocess_stem(config, weights.stem, format),
        .layers = {},
        .fc = preprocess(weights.fc, format, device)};
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        for (const BlockWeights& block : weights.layers[stage]) {
            parameters.layers[stage].push_back(preprocess(config, block, format));
        }
    }
    return parameters;
}

ttnn::Tensor preprocess_images(
    const Config& config, const HostTensor& images, const ParameterFormat& format, ttnn::MeshDevice* device) {
    validate(config, images);
    HostTensor pixels = zeros(pixels_shape(config, images.shape[0], format));
    const auto plane = static_cast<std::size_t>(config.image_size * config.image_size);
    const auto channels = static_cast<std::size_t>(format.input_channels);
    const auto colours = static_cast<std::size_t>(config.num_channels);
    for (std::size_t image = 0; image < static_cast<std::size_t>(images.shape[0]); ++image) {
        for (std::size_t colour = 0; colour < colours; ++colour) {
            const float* from = images.data.data() + (image * colours + colour) * plane;
            float* to = pixels.data.data() + image * plane * channels + colour;
            for (std::size_t pixel = 0; pixel < plane; ++pixel) {
                to[pixel * channels] = from[pixel];
            }
        }
    }
    return from_host(pixels, kPixels, device);
}

tt::tt_metal::TensorSpec images_spec(const Config& config, std::int64_t batch, const ParameterFormat& format) {
    return tensor_spec(pixels_shape(config, batch, format), kPixels);
}

FeatureMap images_map(const Config& config, const ttnn::Tensor& pixels) {
    const auto side = static_cast<std::uint32_t>(config.image_size);
    const ttnn::Shape& shape = pixels.logical_shape();
    return {.tensor = pixels, .batch = shape[2] / (side * side), .height = side, .width = side, .channels = shape[3]};
}

}  // namespace zoo::resnet
