// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/preprocess.hpp"

#include <utility>

#include "models/yolov4/head_layout.hpp"
#include "zoo/device_tensor.hpp"
#include "zoo/error.hpp"

namespace zoo::yolov4 {
namespace {

using ttnn::DataType;
using ttnn::MeshDevice;

void fold(Conv& conv) {
    if (conv.norm) {
        conv.conv = fold_batch_norm(conv.conv, *conv.norm);
        conv.norm.reset();
    }
}

ConvLayer layer(const Config& config, const std::string& name, Conv conv, DataType dtype) {
    fold(conv);
    if (conv.activation == Activation::Linear) {
        const HeadLayout layout(config.num_classes);
        conv.conv = {.weight = layout.spread(conv.conv.weight), .bias = layout.spread(conv.conv.bias.value())};
    }
    return {
        .name = name,
        .parameters = ConvParameters(conv.conv, dtype),
        .stride = static_cast<std::uint32_t>(conv.stride),
        .padding = static_cast<std::uint32_t>(conv.kernel / 2),
        .activation = conv.activation};
}

ScaleParameters scale(const Config& config, const Scale& scale, MeshDevice& device) {
    const std::int64_t height = config.height / scale.stride;
    const std::int64_t width = config.width / scale.stride;
    HostTensor slopes = zeros({1, 1, 1, HeadLayout::kTile});
    HostTensor cells = zeros({1, 1, height * width, HeadLayout::kTile});
    HostTensor anchors = slopes;
    for (std::size_t anchor = 0; anchor < 3; ++anchor) {
        const auto& size = config.anchors[static_cast<std::size_t>(scale.mask[anchor])];
        const double sides[] = {static_cast<double>(config.width), static_cast<double>(config.height)};
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const std::size_t column = 2 * anchor + axis;
            const double cell = static_cast<double>(scale.stride) / sides[axis];
            slopes.data[column] = static_cast<float>(scale.scale_x_y * cell);
            anchors.data[column] = static_cast<float>(size[axis] / sides[axis]);
            for (std::int64_t i = 0; i < height * width; ++i) {
                const auto place = static_cast<double>(axis == 0 ? i % width : i / width);
                cells.data[static_cast<std::size_t>(i * HeadLayout::kTile) + column] =
                    static_cast<float>((place - 0.5 * (scale.scale_x_y - 1.0)) * cell);
            }
        }
    }
    const DeviceFormat format{.dtype = DataType::FLOAT32};
    return {
        .slopes = from_host(slopes, format, &device),
        .cells = from_host(cells, format, &device),
        .anchors = from_host(anchors, format, &device)};
}

}  // namespace

Weights fold(Weights weights) {
    for (const Layer& layer : layers(weights)) {
        fold(*layer.conv);
    }
    return weights;
}

Parameters preprocess(const Config& config, const Weights& weights, DataType dtype, MeshDevice& device) {
    Parameters parameters;
    std::vector<ConvLayer> in_order;
    const auto add = [&](const std::string& name, const Conv& conv) {
        in_order.push_back(layer(config, name, conv, dtype));
    };
    std::size_t next = 0;
    const auto take = [&](const std::string&, ConvLayer& to) { to = std::move(in_order[next++]); };
    if (weights.full) {
        FullWeights::each(*weights.full, add);
        FullParameters& full = parameters.full.emplace();
        full.down2.resblock.blocks.resize(weights.full->down2.resblock.blocks.size());
        full.down3.resblock.blocks.resize(weights.full->down3.resblock.blocks.size());
        full.down4.resblock.blocks.resize(weights.full->down4.resblock.blocks.size());
        full.down5.resblock.blocks.resize(weights.full->down5.resblock.blocks.size());
        FullParameters::each(full, take);
    } else {
        TinyWeights::each(weights.tiny.value(), add);
        TinyParameters::each(parameters.tiny.emplace(), take);
    }
    for (const Scale& one : config.scales) {
        parameters.scales.push_back(scale(config, one, device));
    }
    return parameters;
}

ttnn::Tensor preprocess(const Config& config, const HostTensor& picture, MeshDevice* device) {
    const Shape expected{1, 3, config.height, config.width};
    if (picture.shape != expected) {
        fail(
            "yolov4::preprocess", "the picture is ", zoo::to_string(picture.shape), "; this network takes ",
            zoo::to_string(expected));
    }
    const std::int64_t pixels = config.height * config.width;
    const HostTensor rows = transpose(reshape(picture, {3, pixels}));
    return from_host(reshape(rows, {1, 1, pixels, 3}), {.layout = ttnn::Layout::ROW_MAJOR}, device);
}

Predictions postprocess(const Config& config, const std::vector<ScalePredictions>& scales) {
    const HeadLayout layout(config.num_classes);
    Predictions predictions{zeros({config.boxes(), 4}), zeros({config.boxes(), config.num_classes})};
    auto box = predictions.boxes.data.begin();
    auto score = predictions.scores.data.begin();
    for (const ScalePredictions& scale : scales) {
        const HostTensor boxes = to_host(scale.boxes);
        const HostTensor scores = to_host(scale.scores);
        const std::int64_t cells = boxes.shape[2];
        for (std::int64_t anchor = 0; anchor < 3; ++anchor) {
            for (std::int64_t cell = 0; cell < cells; ++cell) {
                const auto columns = boxes.data.begin() + cell * boxes.shape[3] + 2 * anchor;
                for (const std::int64_t column :
                     {std::int64_t{0}, std::int64_t{1}, HeadLayout::kTile, HeadLayout::kTile + 1}) {
                    *box++ = columns[column];
                }
                const auto classes = scores.data.begin() + cell * scores.shape[3] + anchor * layout.block() + 1;
                score = std::copy(classes, classes + config.num_classes, score);
            }
        }
    }
    return predictions;
}

}  // namespace zoo::yolov4
