// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/preprocess.hpp"

namespace zoo::mnist {

ParameterFormat functional_format() { return {}; }

ParameterFormat optimized_format(const Placement& place) {
    return {.weight_dtype = place.weight_dtype, .input_channels = place.input_channels};
}

HostTensor by_pixel(const HostTensor& weight, std::int64_t channels) {
    HostTensor result = zeros(weight.shape);
    const auto columns = static_cast<std::size_t>(weight.shape.at(1));
    const auto count = static_cast<std::size_t>(channels);
    const std::size_t pixels = columns / count;
    for (std::size_t i = 0; i < weight.size(); ++i) {
        const std::size_t row = i / columns;
        const std::size_t channel = i % columns / pixels;
        result.data[row * columns + i % pixels * count + channel] = weight.data[i];
    }
    return result;
}

Parameters preprocess(
    const Config& config, const Weights& weights, const ParameterFormat& format, ttnn::MeshDevice& device) {
    Parameters parameters;
    for (std::size_t i = 0; i < kConvolutions; ++i) {
        ConvWeights convolution = weights.convolutions[i];
        if (i == 0) {
            convolution.weight = pad_input_channels(convolution.weight, format.input_channels);
        }
        parameters.convolutions[i] = ConvParameters(convolution, format.weight_dtype);
    }
    const LinearWeights fc1{by_pixel(weights.fc1.weight, config.conv_channels.back()), weights.fc1.bias};
    parameters.fc1 = linear_parameters(fc1, format.weight_dtype, device);
    parameters.fc2 = linear_parameters(weights.fc2, format.weight_dtype, device);
    return parameters;
}

}  // namespace zoo::mnist
