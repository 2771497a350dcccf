// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/preprocess.hpp"

namespace zoo::mobilenetv2 {
namespace {

ConvWeights fold(const Config& config, const ConvNormWeights& weights) {
    return fold_batch_norm(weights.conv, weights.norm, static_cast<float>(config.batch_norm_eps));
}

ConvParameters conv(const Config& config, const ConvNormWeights& weights, ttnn::DataType dtype) {
    return ConvParameters(fold(config, weights), dtype);
}

}  // namespace

ParameterFormat functional_format() { return {}; }

ParameterFormat optimized_format(const Placement& place) {
    return {
        .dense_dtype = place.dense_dtype,
        .depthwise_dtype = place.depthwise_dtype,
        .classifier_dtype = place.classifier_dtype,
        .input_channels = place.input_channels};
}

ConvParameters preprocess_stem(const Config& config, const ConvNormWeights& weights, const ParameterFormat& format) {
    ConvWeights folded = fold(config, weights);
    folded.weight = pad_input_channels(folded.weight, format.input_channels);
    return ConvParameters(folded, format.dense_dtype);
}

BlockParameters preprocess(const Config& config, const BlockWeights& weights, const ParameterFormat& format) {
    BlockParameters block{
        .depthwise = conv(config, weights.depthwise, format.depthwise_dtype),
        .project = conv(config, weights.project, format.dense_dtype)};
    if (weights.expand) {
        block.expand = conv(config, *weights.expand, format.dense_dtype);
    }
    return block;
}

Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device) {
    Parameters parameters{
        .stem = preprocess_stem(config, weights.stem, format),
        .last = conv(config, weights.last, format.dense_dtype),
        .classifier = linear_parameters(weights.classifier, format.classifier_dtype, device)};
    for (const BlockWeights& block : weights.blocks) {
        parameters.blocks.push_back(preprocess(config, block, format));
    }
    return parameters;
}

}  // namespace zoo::mobilenetv2
