// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "models/resnet/weight_table.hpp"

namespace zoo::resnet {
namespace {

constexpr double kKerasEpsilon = 1e-3;

// [height, width, in, out] to [out, in, height, width].
HostTensor turned(const HostTensor& kernel) {
    const std::int64_t height = kernel.shape[0];
    const std::int64_t width = kernel.shape[1];
    const std::int64_t in = kernel.shape[2];
    const std::int64_t out = kernel.shape[3];
    HostTensor result = zeros({out, in, height, width});
    std::size_t from = 0;
    for (std::int64_t pixel = 0; pixel < height * width; ++pixel) {
        for (std::int64_t i = 0; i < in; ++i) {
            for (std::int64_t o = 0; o < out; ++o) {
                result.data[static_cast<std::size_t>((o * in + i) * height * width + pixel)] = kernel.data[from++];
            }
        }
    }
    return result;
}

// Blue, green, red to red, green, blue: the input channels of [out, in, height, width] in reverse.
void reverse_channels(HostTensor& weight) {
    const auto pixels = weight.shape[2] * weight.shape[3];
    const auto per_output = weight.shape[1] * pixels;
    for (auto first = weight.data.begin(); first != weight.data.end(); first += per_output) {
        for (std::int64_t channel = 0; channel < weight.shape[1] / 2; ++channel) {
            const auto low = first + channel * pixels;
            std::swap_ranges(low, low + pixels, first + (weight.shape[1] - 1 - channel) * pixels);
        }
    }
}

// layer2.0.conv1 is res3a_branch2a; layer2.0.downsample is res3a_branch1.
std::string keras_name(const std::string& torch_name) {
    if (torch_name == "conv1") {
        return torch_name;
    }
    const char stage = static_cast<char>(torch_name[5] + 1);
    const char block = static_cast<char>('a' + (torch_name[7] - '0'));
    const std::string branch = torch_name.find("downsample") != std::string::npos
                                   ? "1"
                                   : std::string("2") + static_cast<char>('a' + (torch_name.back() - '1'));
    return std::string("res") + stage + block + "_branch" + branch;
}

std::string keras_norm_name(const std::string& conv) { return conv == "conv1" ? "bn_conv1" : "bn" + conv.substr(3); }

}  // namespace

bool is_keras(const Checkpoint& checkpoint) { return checkpoint.contains("bn_conv1/gamma"); }

Weights load_keras(const Checkpoint& checkpoint, const Config& config) {
    Weights weights = empty_tree(config);
    std::vector<ConvRow> table = conv_table(weights, config);
    std::vector<WeightRow> rows;
    for (const ConvRow& row : table) {
        const std::string conv = keras_name(row.conv);
        const std::string norm = keras_norm_name(conv);
        ConvNorm& target = *row.target;
        const Shape channels{row.shape[0]};
        target.conv.bias.emplace();
        rows.push_back(
            {.name = conv + "/kernel",
             .shape = {row.shape[2], row.shape[3], row.shape[1], row.shape[0]},
             .target = &target.conv.weight});
        rows.push_back({.name = conv + "/bias", .shape = channels, .target = &*target.conv.bias});
        rows.push_back({.name = norm + "/gamma", .shape = channels, .target = &target.norm.weight});
        rows.push_back({.name = norm + "/beta", .shape = channels, .target = &target.norm.bias});
        rows.push_back({.name = norm + "/moving_mean", .shape = channels, .target = &target.norm.running_mean});
        rows.push_back({.name = norm + "/moving_variance", .shape = channels, .target = &target.norm.running_var});
    }
    const Shape fc{config.num_labels, config.hidden_sizes.back()};
    rows.push_back({.name = "fc1000/kernel", .shape = fc, .target = &weights.fc.weight, .transpose = true});
    rows.push_back({.name = "fc1000/bias", .shape = {config.num_labels}, .target = &weights.fc.bias});
    load_weights(checkpoint, rows);

    const auto widening = static_cast<float>(kKerasEpsilon - config.batch_norm_eps);
    for (const ConvRow& row : table) {
        ConvNorm& target = *row.target;
        target.conv.weight = turned(target.conv.weight);
        for (float& variance : target.norm.running_var.data) {
            variance += widening;
        }
    }
    reverse_channels(weights.stem.conv.weight);
    return weights;
}

}  // namespace zoo::resnet
