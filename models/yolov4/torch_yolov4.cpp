// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/torch_yolov4.hpp"

#include "models/yolov4/torch_layers.hpp"
#include "models/yolov4/torch_yolov4_tiny.hpp"
#include "zoo/torch_tensor.hpp"

namespace zoo::yolov4::golden {

namespace network {
namespace {

at::Tensor resblock(const ResblockWeights& weights, at::Tensor x) {
    const TorchScope scope(__func__);
    for (const auto& [narrow, wide] : weights.blocks) {
        const TorchScope block("residual");
        x = x + conv(wide, conv(narrow, x));
    }
    return x;
}

at::Tensor ds1(const Downsample1Weights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const at::Tensor x2 = conv(weights.conv2, conv(weights.conv1, x));
    const at::Tensor x3 = conv(weights.conv3, x2);
    const at::Tensor x4 = conv(weights.conv4, x2);
    const at::Tensor x6 = conv(weights.conv6, conv(weights.conv5, x4)) + x4;
    return conv(weights.conv8, at::cat({conv(weights.conv7, x6), x3}, 1));
}

at::Tensor downsample(const DownsampleWeights& weights, const at::Tensor& x) {
    const TorchScope scope(__func__);
    const at::Tensor x1 = conv(weights.conv1, x);
    const at::Tensor x2 = conv(weights.conv2, x1);
    const at::Tensor x4 = conv(weights.conv4, resblock(weights.resblock, conv(weights.conv3, x1)));
    return conv(weights.conv5, at::cat({x4, x2}, 1));
}

at::Tensor pool(const at::Tensor& x, std::int64_t kernel) { return at::max_pool2d(x, {kernel, kernel}, 1, kernel / 2); }

using Maps = std::array<at::Tensor, 3>;

Maps neck(const NeckWeights& w, const at::Tensor& down5, const at::Tensor& down4, const at::Tensor& down3) {
    const TorchScope scope(__func__);
    const at::Tensor x3 = conv(w.conv3, conv(w.conv2, conv(w.conv1, down5)));
    const at::Tensor pyramid = at::cat({pool(x3, 13), pool(x3, 9), pool(x3, 5), x3}, 1);
    const at::Tensor x6 = conv(w.conv6, conv(w.conv5, conv(w.conv4, pyramid)));

    const at::Tensor x9 = at::cat({conv(w.conv8, down4), upsample(conv(w.conv7, x6))}, 1);
    const at::Tensor x11 = conv(w.conv11, conv(w.conv10, conv(w.conv9, x9)));
    const at::Tensor x13 = conv(w.conv13, conv(w.conv12, x11));

    const at::Tensor x16 = at::cat({conv(w.conv15, down3), upsample(conv(w.conv14, x13))}, 1);
    const at::Tensor x18 = conv(w.conv18, conv(w.conv17, conv(w.conv16, x16)));
    const at::Tensor x20 = conv(w.conv20, conv(w.conv19, x18));
    return {x20, x13, x6};
}

Maps head(const HeadWeights& w, const Maps& maps) {
    const TorchScope scope(__func__);
    const at::Tensor x2 = conv(w.conv2, conv(w.conv1, maps[0]));

    const at::Tensor x4 = conv(w.conv4, at::cat({conv(w.conv3, maps[0]), maps[1]}, 1));
    const at::Tensor x8 = conv(w.conv8, conv(w.conv7, conv(w.conv6, conv(w.conv5, x4))));
    const at::Tensor x10 = conv(w.conv10, conv(w.conv9, x8));

    const at::Tensor x12 = conv(w.conv12, at::cat({conv(w.conv11, x8), maps[2]}, 1));
    const at::Tensor x16 = conv(w.conv16, conv(w.conv15, conv(w.conv14, conv(w.conv13, x12))));
    const at::Tensor x18 = conv(w.conv18, conv(w.conv17, x16));
    return {x2, x10, x18};
}

std::vector<at::Tensor> yolov4(const FullWeights& weights, const at::Tensor& picture) {
    const at::Tensor down3 = downsample(weights.down3, downsample(weights.down2, ds1(weights.down1, picture)));
    const at::Tensor down4 = downsample(weights.down4, down3);
    const Maps maps = head(weights.head, neck(weights.neck, downsample(weights.down5, down4), down4, down3));
    return {maps.begin(), maps.end()};
}

Maps view_all(const std::array<HostTensor, 3>& maps) {
    return {torch_view(maps[0]), torch_view(maps[1]), torch_view(maps[2])};
}

std::array<HostTensor, 3> take_all(const Maps& maps) {
    return {from_torch(maps[0]), from_torch(maps[1]), from_torch(maps[2])};
}

}  // namespace

TorchPredictions predictions(const Config& config, const std::vector<at::Tensor>& maps) {
    const TorchScope scope(__func__);
    std::vector<at::Tensor> boxes;
    std::vector<at::Tensor> scores;
    for (std::size_t i = 0; i < maps.size(); ++i) {
        const Scale& scale = config.scales[i];
        const std::int64_t height = maps[i].size(2);
        const std::int64_t width = maps[i].size(3);
        const at::Tensor cells = maps[i].view({3, 5 + config.num_classes, height, width});
        const at::Tensor columns = at::arange(width, at::kFloat).view({1, 1, width});
        const at::Tensor rows = at::arange(height, at::kFloat).view({1, height, 1});
        at::Tensor anchors = at::empty({2, 3, 1, 1});
        for (std::int64_t anchor = 0; anchor < 3; ++anchor) {
            const auto& size = config.anchors[static_cast<std::size_t>(scale.mask[static_cast<std::size_t>(anchor)])];
            anchors[0][anchor].fill_(size[0] / static_cast<double>(config.width));
            anchors[1][anchor].fill_(size[1] / static_cast<double>(config.height));
        }
        const auto centre = [&](std::int64_t channel) {
            return cells.select(1, channel).sigmoid() * scale.scale_x_y - 0.5 * (scale.scale_x_y - 1.0);
        };
        const at::Tensor x = (centre(0) + columns) / static_cast<double>(width);
        const at::Tensor y = (centre(1) + rows) / static_cast<double>(height);
        const at::Tensor w = cells.select(1, 2).exp() * anchors[0];
        const at::Tensor h = cells.select(1, 3).exp() * anchors[1];
        boxes.push_back(at::stack({x, y, w, h}, -1).view({-1, 4}));
        const at::Tensor objectness = cells.slice(1, 4, 5).sigmoid();
        const at::Tensor classes = cells.slice(1, 5).sigmoid() * objectness;
        scores.push_back(classes.permute({0, 2, 3, 1}).reshape({-1, config.num_classes}));
    }
    return {at::cat(boxes), at::cat(scores)};
}

}  // namespace network

HostTensor resblock(const ResblockWeights& weights, const HostTensor& x) {
    return from_torch(network::resblock(weights, torch_view(x)));
}

HostTensor ds1(const Downsample1Weights& weights, const HostTensor& x) {
    return from_torch(network::ds1(weights, torch_view(x)));
}

HostTensor ds2(const DownsampleWeights& weights, const HostTensor& x) {
    return from_torch(network::downsample(weights, torch_view(x)));
}

HostTensor ds3(const DownsampleWeights& weights, const HostTensor& x) { return ds2(weights, x); }
HostTensor ds4(const DownsampleWeights& weights, const HostTensor& x) { return ds2(weights, x); }
HostTensor ds5(const DownsampleWeights& weights, const HostTensor& x) { return ds2(weights, x); }

std::array<HostTensor, 3> neck(
    const NeckWeights& weights, const HostTensor& down5, const HostTensor& down4, const HostTensor& down3) {
    return network::take_all(network::neck(weights, torch_view(down5), torch_view(down4), torch_view(down3)));
}

std::array<HostTensor, 3> head(const HeadWeights& weights, const std::array<HostTensor, 3>& maps) {
    return network::take_all(network::head(weights, network::view_all(maps)));
}

Predictions predictions(const Config& config, const std::vector<HostTensor>& maps) {
    std::vector<at::Tensor> views;
    for (const HostTensor& map : maps) {
        views.push_back(torch_view(map));
    }
    const network::TorchPredictions found = network::predictions(config, views);
    return {from_torch(found.boxes), from_torch(found.scores)};
}

Predictions yolov4(const Config& config, const Weights& weights, const HostTensor& picture) {
    const at::Tensor view = torch_view(picture);
    const network::TorchPredictions found = network::predictions(
        config, weights.tiny ? network::yolov4_tiny(*weights.tiny, view) : network::yolov4(weights.full.value(), view));
    return {from_torch(found.boxes), from_torch(found.scores)};
}

}  // namespace zoo::yolov4::golden
