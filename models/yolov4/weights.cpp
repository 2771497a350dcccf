// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/weights.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "zoo/darknet.hpp"
#include "zoo/error.hpp"

namespace zoo::yolov4 {
namespace {

using enum Activation;

void size(
    Conv& conv, std::int64_t in, std::int64_t out, std::int64_t kernel, Activation activation,
    std::int64_t stride = 1) {
    conv = {.in = in, .out = out, .kernel = kernel, .stride = stride, .activation = activation, .conv = {}, .norm = {}};
    if (activation == Linear) {
        conv.conv.bias.emplace();
    } else {
        conv.norm.emplace();
    }
}

void size(Downsample1Weights& down, std::int64_t base) {
    size(down.conv1, 3, base, 3, Mish);
    size(down.conv2, base, 2 * base, 3, Mish, 2);
    size(down.conv3, 2 * base, 2 * base, 1, Mish);
    size(down.conv4, 2 * base, 2 * base, 1, Mish);
    size(down.conv5, 2 * base, base, 1, Mish);
    size(down.conv6, base, 2 * base, 3, Mish);
    size(down.conv7, 2 * base, 2 * base, 1, Mish);
    size(down.conv8, 4 * base, 2 * base, 1, Mish);
}

void size(DownsampleWeights& down, std::int64_t out, std::int64_t blocks) {
    const std::int64_t half = out / 2;
    size(down.conv1, half, out, 3, Mish, 2);
    size(down.conv2, out, half, 1, Mish);
    size(down.conv3, out, half, 1, Mish);
    down.resblock.blocks.resize(static_cast<std::size_t>(blocks));
    for (auto& [narrow, wide] : down.resblock.blocks) {
        size(narrow, half, half, 1, Mish);
        size(wide, half, half, 3, Mish);
    }
    size(down.conv4, half, half, 1, Mish);
    size(down.conv5, out, out, 1, Mish);
}

void size(NeckWeights& neck, std::int64_t base) {
    const std::int64_t c4 = 4 * base;
    const std::int64_t c8 = 8 * base;
    const std::int64_t c16 = 16 * base;
    const std::int64_t c32 = 32 * base;
    size(neck.conv1, c32, c16, 1, Leaky);
    size(neck.conv2, c16, c32, 3, Leaky);
    size(neck.conv3, c32, c16, 1, Leaky);
    size(neck.conv4, 4 * c16, c16, 1, Leaky);
    size(neck.conv5, c16, c32, 3, Leaky);
    size(neck.conv6, c32, c16, 1, Leaky);
    size(neck.conv7, c16, c8, 1, Leaky);
    for (auto* conv : {&neck.conv8, &neck.conv9, &neck.conv11, &neck.conv13}) {
        size(*conv, c16, c8, 1, Leaky);
    }
    size(neck.conv10, c8, c16, 3, Leaky);
    size(neck.conv12, c8, c16, 3, Leaky);
    size(neck.conv14, c8, c4, 1, Leaky);
    for (auto* conv : {&neck.conv15, &neck.conv16, &neck.conv18, &neck.conv20}) {
        size(*conv, c8, c4, 1, Leaky);
    }
    size(neck.conv17, c4, c8, 3, Leaky);
    size(neck.conv19, c4, c8, 3, Leaky);
}

void size(HeadWeights& head, std::int64_t base, std::int64_t out) {
    const std::int64_t c4 = 4 * base;
    const std::int64_t c8 = 8 * base;
    const std::int64_t c16 = 16 * base;
    const std::int64_t c32 = 32 * base;
    size(head.conv1, c4, c8, 3, Leaky);
    size(head.conv2, c8, out, 1, Linear);
    size(head.conv3, c4, c8, 3, Leaky, 2);
    for (auto* conv : {&head.conv4, &head.conv6, &head.conv8}) {
        size(*conv, c16, c8, 1, Leaky);
    }
    for (auto* conv : {&head.conv5, &head.conv7, &head.conv9}) {
        size(*conv, c8, c16, 3, Leaky);
    }
    size(head.conv10, c16, out, 1, Linear);
    size(head.conv11, c8, c16, 3, Leaky, 2);
    for (auto* conv : {&head.conv12, &head.conv14, &head.conv16}) {
        size(*conv, c32, c16, 1, Leaky);
    }
    for (auto* conv : {&head.conv13, &head.conv15, &head.conv17}) {
        size(*conv, c16, c32, 3, Leaky);
    }
    size(head.conv18, c32, out, 1, Linear);
}

void size(TinyBlockWeights& block, std::int64_t channels) {
    size(block.conv1, channels, channels, 3, Leaky);
    size(block.conv2, channels / 2, channels / 2, 3, Leaky);
    size(block.conv3, channels / 2, channels / 2, 3, Leaky);
    size(block.conv4, channels, channels, 1, Leaky);
}

void size(TinyWeights& tiny, std::int64_t base, std::int64_t out) {
    size(tiny.conv1, 3, base, 3, Leaky, 2);
    size(tiny.conv2, base, 2 * base, 3, Leaky, 2);
    size(tiny.block1, 2 * base);
    size(tiny.block2, 4 * base);
    size(tiny.block3, 8 * base);
    TinyHeadWeights& head = tiny.head;
    size(head.conv1, 16 * base, 16 * base, 3, Leaky);
    size(head.conv2, 16 * base, 8 * base, 1, Leaky);
    size(head.conv3, 8 * base, 16 * base, 3, Leaky);
    size(head.conv4, 16 * base, out, 1, Linear);
    size(head.conv5, 8 * base, 4 * base, 1, Leaky);
    size(head.conv6, 12 * base, 8 * base, 3, Leaky);
    size(head.conv7, 8 * base, out, 1, Linear);
}

std::vector<WeightRow> rows(Weights& weights, bool spelled_neck) {
    std::vector<WeightRow> table;
    for (const Layer& layer : layers(weights)) {
        std::string name = layer.name;
        if (spelled_neck && name.starts_with("neek.")) {
            name.replace(0, 4, "neck");
        }
        add_rows(table, name + ".conv.0", layer.conv->conv, layer.conv->shape());
        if (layer.conv->norm) {
            add_rows(table, name + ".conv.1", *layer.conv->norm, layer.conv->out);
        }
    }
    return table;
}

// Of the output of a convolution to its input, so that no map fades or grows on its way: residual blocks add less than is there, and
// what the heads say stays where sigmoids and exponentials are not flat.
float gain_of(const std::string& name, const Conv& conv) {
    if (conv.activation == Linear) {
        return 0.5F;
    }
    return name.find("resblock") != std::string::npos && conv.kernel == 3 ? 0.25F : 1.0F;
}

// Trained heads say "nothing here" of nearly all cells, and find boxes of about the size of their anchors.
void temper(const Config& config, Conv& head) {
    constexpr float kNothing = -4.0F;
    constexpr float kSizes = 0.25F;
    const std::int64_t row = head.in;
    for (std::int64_t anchor = 0; anchor < 3; ++anchor) {
        const std::int64_t first = anchor * (5 + config.num_classes);
        head.conv.bias->data[static_cast<std::size_t>(first + 4)] += kNothing;
        const auto sizes = head.conv.weight.data.begin() + (first + 2) * row;
        std::transform(sizes, sizes + 2 * row, sizes, [](float value) { return kSizes * value; });
    }
}

}  // namespace

std::string_view to_string(Activation activation) {
    switch (activation) {
        case Linear:
            return "linear";
        case Leaky:
            return "leaky";
        case Mish:
            return "mish";
    }
    return "";
}

Weights empty_weights(const Config& config) {
    validate(config);
    Weights weights;
    if (config.architecture == Architecture::Tiny) {
        size(weights.tiny.emplace(), config.base_channels, config.head_channels());
        return weights;
    }
    FullWeights& full = weights.full.emplace();
    size(full.down1, config.base_channels);
    std::int64_t channels = 4 * config.base_channels;
    std::size_t stage = 0;
    for (DownsampleWeights* down : {&full.down2, &full.down3, &full.down4, &full.down5}) {
        size(*down, channels, config.resblocks[stage++]);
        channels *= 2;
    }
    size(full.neck, config.base_channels);
    size(full.head, config.base_channels, config.head_channels());
    return weights;
}

std::vector<Layer> layers(Weights& weights) {
    std::vector<Layer> table;
    const auto add = [&](const std::string& name, Conv& conv) { table.push_back({name, &conv}); };
    if (weights.full) {
        FullWeights::each(*weights.full, add);
    }
    if (weights.tiny) {
        TinyWeights::each(*weights.tiny, add);
    }
    return table;
}

Weights load(const Checkpoint& checkpoint, const Config& config) {
    Weights weights = empty_weights(config);
    load_weights(
        checkpoint, rows(weights, checkpoint.contains("neck.conv1.conv.0.weight")),
        {.ignored = {"*num_batches_tracked"}, .strip_prefix = {}, .add_prefix = {}});
    return weights;
}

Weights load_darknet(const std::filesystem::path& file, const Config& config) {
    Weights weights = empty_weights(config);
    std::vector<DarknetConv> table;
    for (const Layer& layer : layers(weights)) {
        Conv& conv = *layer.conv;
        DarknetConv row{.name = layer.name, .shape = conv.shape(), .weight = &conv.conv.weight};
        if (conv.norm) {
            row.bias = &conv.norm->bias;
            row.scale = &conv.norm->weight;
            row.mean = &conv.norm->running_mean;
            row.variance = &conv.norm->running_var;
        } else {
            row.bias = &*conv.conv.bias;
        }
        table.push_back(std::move(row));
    }
    load_darknet_weights(file, table);
    return weights;
}

Weights load(const std::filesystem::path& path, const Config& config) {
    return path.extension() == ".weights" ? load_darknet(path, config) : load(*open_checkpoint(path), config);
}

NamedTensors tensors(const Weights& weights) {
    // The table hands out mutable targets because loading needs them.
    return named_tensors(rows(const_cast<Weights&>(weights), false));
}

void save(const std::filesystem::path& file, const Weights& weights) {
    save_safetensors(file, tensors(weights), {{"format", "pt"}});
}

Weights random(const Config& config, std::uint64_t seed) {
    Weights weights = empty_weights(config);
    const Random source(seed);
    for (const Layer& layer : layers(weights)) {
        Conv& conv = *layer.conv;
        const bool bias = !conv.norm;
        conv.conv = random_conv(source, layer.name + ".conv.0", conv.shape(), bias, gain_of(layer.name, conv));
        if (bias) {
            temper(config, conv);
        } else {
            conv.norm = random_batch_norm(source, layer.name + ".conv.1", conv.out);
        }
    }
    return weights;
}

}  // namespace zoo::yolov4
