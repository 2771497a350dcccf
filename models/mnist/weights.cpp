// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/weights.hpp"

#include <string>
#include <utility>
#include <vector>

#include "zoo/random.hpp"

namespace zoo::mnist {
namespace {

Shape conv_shape(const Config& config, std::size_t index) {
    const std::int64_t in = index == 0 ? config.num_channels : config.conv_channels[index - 1];
    return {config.conv_channels[index], in, 3, 3};
}

std::string conv_name(std::size_t index) { return "conv" + std::to_string(index + 1); }

std::vector<WeightRow> table(Weights& weights, const Config& config) {
    std::vector<WeightRow> rows;
    for (std::size_t i = 0; i < kConvolutions; ++i) {
        if (!weights.convolutions[i].bias) {
            weights.convolutions[i].bias.emplace();
        }
        add_rows(rows, conv_name(i), weights.convolutions[i], conv_shape(config, i));
    }
    add_rows(rows, "fc1", weights.fc1, config.hidden_size, config.features());
    add_rows(rows, "fc2", weights.fc2, config.num_classes, config.hidden_size);
    return rows;
}

}  // namespace

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    Weights weights;
    load_weights(checkpoint, table(weights, config));
    return weights;
}

NamedTensors tensors(const Weights& weights, const Config&) {
    NamedTensors result;
    for (std::size_t i = 0; i < kConvolutions; ++i) {
        result.emplace_back(conv_name(i) + ".weight", &weights.convolutions[i].weight);
        result.emplace_back(conv_name(i) + ".bias", &weights.convolutions[i].bias.value());
    }
    result.emplace_back("fc1.weight", &weights.fc1.weight);
    result.emplace_back("fc1.bias", &weights.fc1.bias);
    result.emplace_back("fc2.weight", &weights.fc2.weight);
    result.emplace_back("fc2.bias", &weights.fc2.bias);
    return result;
}

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    save_safetensors(file, tensors(weights, config), {{"format", "pt"}});
}

Weights random(const Config& config, std::uint64_t seed) {
    validate(config);
    const Random source(seed);
    Weights weights;
    for (std::size_t i = 0; i < kConvolutions; ++i) {
        weights.convolutions[i] = random_conv(source, conv_name(i), conv_shape(config, i), /*bias=*/true);
    }
    weights.fc1 = random_linear(source, "fc1", config.hidden_size, config.features());
    weights.fc2 = random_linear(source, "fc2", config.num_classes, config.hidden_size);
    return weights;
}

}  // namespace zoo::mnist
