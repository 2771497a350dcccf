// SPDX-License-Identifier: Apache-2.0
#include "zoo/conv_weights.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "zoo/error.hpp"

namespace zoo {
namespace {

void require_channels(const HostTensor& tensor, std::int64_t channels, const char* name) {
    if (tensor.shape != Shape{channels}) {
        fail(
            "fold_batch_norm", name, " is ", to_string(tensor.shape), "; a convolution to ", channels,
            " channels needs [", channels, "]");
    }
}

void require_conv_weight(const HostTensor& weight, const char* where) {
    if (weight.shape.size() != 4) {
        fail(where, "weight is ", to_string(weight.shape), "; it must be [out, in / groups, height, width]");
    }
}

}  // namespace

ConvWeights fold_batch_norm(const ConvWeights& conv, const BatchNormWeights& norm, float epsilon) {
    require_conv_weight(conv.weight, "fold_batch_norm");
    const std::int64_t channels = conv.weight.shape[0];
    require_channels(norm.weight, channels, "the norm's weight");
    require_channels(norm.bias, channels, "the norm's bias");
    require_channels(norm.running_mean, channels, "running_mean");
    require_channels(norm.running_var, channels, "running_var");
    if (conv.bias) {
        require_channels(*conv.bias, channels, "the convolution's bias");
    }
    ConvWeights folded{.weight = conv.weight, .bias = zeros({channels})};
    const std::size_t per_channel = channels == 0 ? 0 : conv.weight.size() / static_cast<std::size_t>(channels);
    for (std::size_t channel = 0; channel < static_cast<std::size_t>(channels); ++channel) {
        const double variance = norm.running_var.data[channel];
        if (!(variance + epsilon > 0.0)) {
            fail("fold_batch_norm", "running_var[", channel, "] is ", variance, "; it must not be negative");
        }
        const double scale = norm.weight.data[channel] / std::sqrt(variance + epsilon);
        const auto first = folded.weight.data.begin() + static_cast<std::ptrdiff_t>(channel * per_channel);
        std::transform(first, first + static_cast<std::ptrdiff_t>(per_channel), first, [scale](float value) {
            return static_cast<float>(value * scale);
        });
        const double offset = (conv.bias ? conv.bias->data[channel] : 0.0F) - norm.running_mean.data[channel];
        folded.bias->data[channel] = static_cast<float>(norm.bias.data[channel] + offset * scale);
    }
    return folded;
}

HostTensor pad_input_channels(const HostTensor& weight, std::int64_t channels) {
    require_conv_weight(weight, "pad_input_channels");
    if (weight.shape[1] > channels) {
        fail(
            "pad_input_channels", "weight is ", to_string(weight.shape), "; that is more than ", channels, " channels");
    }
    const std::vector<HostTensor> parts{
        weight, zeros({weight.shape[0], channels - weight.shape[1], weight.shape[2], weight.shape[3]})};
    return concat(parts, 1);
}

void add_rows(std::vector<WeightRow>& rows, const std::string& name, ConvWeights& conv, const Shape& shape) {
    rows.push_back({.name = name + ".weight", .shape = shape, .target = &conv.weight});
    if (conv.bias) {
        rows.push_back({.name = name + ".bias", .shape = {shape.front()}, .target = &*conv.bias});
    }
}

void add_rows(std::vector<WeightRow>& rows, const std::string& name, BatchNormWeights& norm, std::int64_t channels) {
    rows.push_back({.name = name + ".weight", .shape = {channels}, .target = &norm.weight});
    rows.push_back({.name = name + ".bias", .shape = {channels}, .target = &norm.bias});
    rows.push_back({.name = name + ".running_mean", .shape = {channels}, .target = &norm.running_mean});
    rows.push_back({.name = name + ".running_var", .shape = {channels}, .target = &norm.running_var});
}

ConvWeights random_conv(const Random& random, std::string_view name, const Shape& shape, bool bias, float gain) {
    const std::string base(name);
    const std::int64_t fan_in = std::accumulate(shape.begin() + 1, shape.end(), std::int64_t{1}, std::multiplies<>());
    ConvWeights conv{
        .weight =
            random.stream(base + ".weight").normal(shape, 0.0F, gain * std::sqrt(2.0F / static_cast<float>(fan_in))),
        .bias = std::nullopt};
    if (bias) {
        conv.bias = random.stream(base + ".bias").normal({shape.front()}, 0.0F, 0.1F);
    }
    return conv;
}

BatchNormWeights random_batch_norm(const Random& random, std::string_view name, std::int64_t channels, float scale) {
    const std::string base(name);
    const Shape shape{channels};
    return {
        .weight = random.stream(base + ".weight").uniform(shape, 0.4F * scale, 1.6F * scale),
        .bias = random.stream(base + ".bias").normal(shape, 0.0F, 0.2F),
        .running_mean = random.stream(base + ".running_mean").normal(shape, 0.0F, 0.2F),
        .running_var = random.stream(base + ".running_var").uniform(shape, 0.6F, 1.8F)};
}

}  // namespace zoo
