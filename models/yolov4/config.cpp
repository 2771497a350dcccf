// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/config.hpp"

#include <algorithm>

#include "zoo/error.hpp"
#include "zoo/presets.hpp"

namespace zoo::yolov4 {
namespace {

constexpr const char* kWhere = "yolov4::Config";
constexpr std::int64_t kCell = 32;  // the coarsest head's
constexpr std::int64_t kHalfTile = 16;

Config full(std::int64_t size) {
    return {
        .height = size,
        .width = size,
        .anchors = {{12, 16}, {19, 36}, {40, 28}, {36, 75}, {76, 55}, {72, 146}, {142, 110}, {192, 243}, {459, 401}},
        .scales = {{8, {0, 1, 2}, 1.2}, {16, {3, 4, 5}, 1.1}, {32, {6, 7, 8}, 1.05}}};
}

Config tiny() {
    return {
        .architecture = Architecture::Tiny,
        .height = 416,
        .width = 416,
        .resblocks = {},
        .anchors = {{10, 14}, {23, 27}, {37, 58}, {81, 82}, {135, 169}, {344, 319}},
        .scales = {{32, {3, 4, 5}, 1.05}, {16, {1, 2, 3}, 1.05}}};
}

// Half of the width and a third of the depth.
Config nano() {
    Config config = full(64);
    config.num_classes = 20;
    config.base_channels = 16;
    config.resblocks = {1, 2, 2, 1};
    return config;
}

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
        {"yolov4-320", full(320)}, {"yolov4-640", full(640)}, {"yolov4-tiny", tiny()}, {"yolov4-nano", nano()}};
    return kPresets;
}

void require_positive(std::string_view field, std::int64_t value) {
    if (value <= 0) {
        fail(kWhere, field, " is ", value, "; it must be positive");
    }
}

void require_cells(std::string_view field, std::int64_t value) {
    require_positive(field, value);
    if (value % kCell != 0) {
        fail(kWhere, field, " is ", value, "; it must be a multiple of ", kCell, ", the stride of the coarsest head");
    }
}

}  // namespace

std::string_view to_string(Architecture architecture) {
    return architecture == Architecture::Full ? "yolov4" : "yolov4-tiny";
}

std::int64_t Config::boxes() const {
    std::int64_t count = 0;
    for (const Scale& scale : scales) {
        count += 3 * (height / scale.stride) * (width / scale.stride);
    }
    return count;
}

Config preset(std::string_view name) { return find_preset(presets(), name, kWhere); }

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = names_of(presets());
    return kNames;
}

Config with_size(Config config, std::int64_t height, std::int64_t width) {
    config.height = height;
    config.width = width;
    validate(config);
    return config;
}

void validate(const Config& config) {
    require_cells("height", config.height);
    require_cells("width", config.width);
    require_positive("num_classes", config.num_classes);
    require_positive("base_channels", config.base_channels);
    if (config.base_channels % kHalfTile != 0) {
        fail(
            kWhere, "base_channels is ", config.base_channels, "; it must be a multiple of ", kHalfTile,
            ", so that maps are joined in whole tiles");
    }
    const bool is_full = config.architecture == Architecture::Full;
    const std::size_t stages = is_full ? 4 : 0;
    if (config.resblocks.size() != stages) {
        fail(
            kWhere, "resblocks has ", config.resblocks.size(), " values; ", to_string(config.architecture), " takes ",
            stages, ", one for each of its stages with residual blocks");
    }
    for (const std::int64_t blocks : config.resblocks) {
        require_positive("resblocks", blocks);
    }
    const std::vector<std::int64_t> strides =
        is_full ? std::vector<std::int64_t>{8, 16, 32} : std::vector<std::int64_t>{32, 16};
    if (config.scales.size() != strides.size()) {
        fail(
            kWhere, "there are ", config.scales.size(), " scales; ", to_string(config.architecture), " has ",
            strides.size(), " heads");
    }
    const auto anchors = static_cast<std::int64_t>(config.anchors.size());
    for (std::size_t i = 0; i < strides.size(); ++i) {
        const Scale& scale = config.scales[i];
        if (scale.stride != strides[i]) {
            fail(kWhere, "the stride of scale ", i, " is ", scale.stride, "; it must be ", strides[i]);
        }
        for (const std::int64_t anchor : scale.mask) {
            if (anchor < 0 || anchor >= anchors) {
                fail(kWhere, "the mask of scale ", i, " asks for anchor ", anchor, " of ", anchors);
            }
        }
        if (!(scale.scale_x_y >= 1.0 && scale.scale_x_y <= 2.0)) {
            fail(kWhere, "scale_x_y of scale ", i, " is ", scale.scale_x_y, "; it must be between 1 and 2");
        }
    }
    for (const auto& [width, height] : config.anchors) {
        if (!(width > 0.0 && height > 0.0)) {
            fail(kWhere, "an anchor is ", width, " x ", height, "; anchors must be positive");
        }
    }
}

}  // namespace zoo::yolov4
