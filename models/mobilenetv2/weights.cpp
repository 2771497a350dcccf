// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/weights.hpp"

#include <string>
#include <utility>

#include "zoo/random.hpp"

namespace zoo::mobilenetv2 {
namespace {

struct ConvRow {
    std::string conv;  // torchvision's names
    std::string norm;
    Shape shape;
    ConvNormWeights* target;
    bool closes_block = false;  // the last one before a residual is added
};

// Convolutions in the order in which they run. `weights` has its blocks already.
std::vector<ConvRow> conv_table(Weights& weights, const Config& config) {
    const std::vector<BlockShape> shapes = config.blocks();
    std::vector<ConvRow> rows{
        {"features.0.0", "features.0.1", {config.stem_width(), config.num_channels, 3, 3}, &weights.stem}};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const BlockShape& shape = shapes[i];
        BlockWeights& block = weights.blocks[i];
        const std::string name = "features." + std::to_string(i + 1) + ".conv.";
        int step = 0;
        const auto with_activation = [&](Shape of, ConvNormWeights& target) {
            const std::string number = name + std::to_string(step++);
            rows.push_back({number + ".0", number + ".1", std::move(of), &target});
        };
        if (block.expand) {
            with_activation({shape.hidden, shape.in, 1, 1}, *block.expand);
        }
        with_activation({shape.hidden, 1, 3, 3}, block.depthwise);
        rows.push_back(
            {name + std::to_string(step),
             name + std::to_string(step + 1),
             {shape.out, shape.hidden, 1, 1},
             &block.project,
             shape.residual()});
    }
    const std::string last = "features." + std::to_string(shapes.size() + 1);
    rows.push_back({last + ".0", last + ".1", {config.last_width(), shapes.back().out, 1, 1}, &weights.last});
    return rows;
}

std::vector<WeightRow> table(Weights& weights, const Config& config) {
    std::vector<WeightRow> rows;
    for (const ConvRow& row : conv_table(weights, config)) {
        add_rows(rows, row.conv, row.target->conv, row.shape);
        add_rows(rows, row.norm, row.target->norm, row.shape.front());
    }
    add_rows(rows, "classifier.1", weights.classifier, config.num_classes, config.last_width());
    return rows;
}

Weights empty_tree(const Config& config) {
    Weights weights;
    for (const BlockShape& shape : config.blocks()) {
        BlockWeights& block = weights.blocks.emplace_back();
        if (shape.expands()) {
            block.expand.emplace();
        }
    }
    return weights;
}

}  // namespace

Weights load(const Checkpoint& checkpoint, const Config& config) {
    validate(config);
    Weights weights = empty_tree(config);
    load_weights(checkpoint, table(weights, config), {.ignored = {"*.num_batches_tracked"}});
    return weights;
}

NamedTensors tensors(const Weights& weights, const Config& config) {
    // The table hands out mutable targets because loading needs them.
    return named_tensors(table(const_cast<Weights&>(weights), config));
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
        row.target->norm = random_batch_norm(source, row.norm, row.shape.front(), row.closes_block ? 0.5F : 1.0F);
    }
    weights.classifier = random_linear(source, "classifier.1", config.num_classes, config.last_width());
    return weights;
}

}  // namespace zoo::mobilenetv2
