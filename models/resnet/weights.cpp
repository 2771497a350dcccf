// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/weights.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "models/resnet/weight_table.hpp"
#include "zoo/random.hpp"

namespace zoo::resnet {
namespace {

std::vector<WeightRow> rows(Weights& weights, const Config& config) {
    std::vector<WeightRow> rows;
    for (const ConvRow& row : conv_table(weights, config)) {
        add_rows(rows, row.conv, row.target->conv, row.shape);
        add_rows(rows, row.norm, row.target->norm, row.shape.front());
    }
    rows.push_back(
        {.name = "fc.weight", .shape = {config.num_labels, config.hidden_sizes.back()}, .target = &weights.fc.weight});
    rows.push_back({.name = "fc.bias", .shape = {config.num_labels}, .target = &weights.fc.bias});
    return rows;
}

}  // namespace

Weights empty_tree(const Config& config) {
    Weights weights;
    std::int64_t channels = config.embedding_size;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        for (std::int64_t index = 0; index < config.depths[stage]; ++index) {
            BlockWeights block;
            if (config.bottleneck()) {
                block.conv3.emplace();
            }
            if (index == 0 && (Config::stride(stage) != 1 || channels != config.hidden_sizes[stage])) {
                block.downsample.emplace();
            }
            weights.layers[stage].push_back(std::move(block));
        }
        channels = config.hidden_sizes[stage];
    }
    return weights;
}

std::vector<ConvRow> conv_table(Weights& weights, const Config& config) {
    const std::int64_t stem = config.small_images ? 3 : 7;
    std::vector<ConvRow> rows{
        {"conv1", "bn1", {config.embedding_size, config.num_channels, stem, stem}, &weights.stem}};
    std::int64_t channels = config.embedding_size;
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        const std::int64_t out = config.hidden_sizes[stage];
        const std::int64_t inner = config.inner_size(stage);
        for (std::size_t index = 0; index < weights.layers[stage].size(); ++index) {
            BlockWeights& block = weights.layers[stage][index];
            const std::string name = "layer" + std::to_string(stage + 1) + "." + std::to_string(index) + ".";
            const auto add = [&](const char* number, Shape shape, ConvNorm& target, bool closes = false) {
                rows.push_back({name + "conv" + number, name + "bn" + number, std::move(shape), &target, closes});
            };
            if (block.conv3) {
                add("1", {inner, channels, 1, 1}, block.conv1);
                add("2", {inner, inner, 3, 3}, block.conv2);
                add("3", {out, inner, 1, 1}, *block.conv3, true);
            } else {
                add("1", {out, channels, 3, 3}, block.conv1);
                add("2", {out, out, 3, 3}, block.conv2, true);
            }
            if (block.downsample) {
                rows.push_back(
                    {name + "downsample.0", name + "downsample.1", {out, channels, 1, 1}, &*block.downsample});
            }
            channels = out;
        }
    }
    return rows;
}

std::vector<PartSize> part_sizes(const Config& config) {
    Weights weights = empty_tree(config);
    std::vector<PartSize> parts;
    for (const ConvRow& row : conv_table(weights, config)) {
        const std::string part = row.conv == "conv1" ? "stem" : row.conv.substr(0, row.conv.find('.'));
        if (parts.empty() || parts.back().name != part) {
            parts.push_back({.name = part});
        }
        parts.back().parameters += static_cast<std::int64_t>(element_count(row.shape)) + 2 * row.shape.front();
    }
    parts.push_back({.name = "fc", .parameters = (config.hidden_sizes.back() + 1) * config.num_labels});
    return parts;
}

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    if (is_keras(checkpoint)) {
        return load_keras(checkpoint, config);
    }
    Weights weights = empty_tree(config);
    for (const ConvRow& row : conv_table(weights, config)) {
        if (checkpoint.contains(row.conv + ".bias")) {
            row.target->conv.bias.emplace();
        }
    }
    load_weights(checkpoint, rows(weights, config), {.ignored = {"*.num_batches_tracked"}});
    return weights;
}

NamedTensors tensors(const Weights& weights, const Config& config) {
    // The table hands out mutable targets because loading needs them.
    return named_tensors(rows(const_cast<Weights&>(weights), config));
}

void save(const std::filesystem::path& file, const Weights& weights, const Config& config) {
    save_safetensors(file, tensors(weights, config), {{"format", "pt"}});
}

Weights random(const Config& config, std::uint64_t seed) {
    validate(config);
    Weights weights = empty_tree(config);
    const Random source(seed);
    for (const ConvRow& row : conv_table(weights, config)) {
        row.target->conv = random_conv(source, row.conv, row.shape);
        // A block adds a quarter to the mean square of its input, so that sixteen blocks stay in range.
        row.target->norm = random_batch_norm(source, row.norm, row.shape.front(), row.closes_block ? 0.5F : 1.0F);
    }
    const std::int64_t features = config.hidden_sizes.back();
    weights.fc.weight =
        source.stream("fc.weight")
            .normal({config.num_labels, features}, 0.0F, 1.0F / std::sqrt(static_cast<float>(features)));
    weights.fc.bias = source.stream("fc.bias").normal({config.num_labels}, 0.0F, 0.1F);
    return weights;
}

}  // namespace zoo::resnet
