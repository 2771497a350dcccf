// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/config.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "zoo/error.hpp"
#include "zoo/json_integer.hpp"
#include "zoo/presets.hpp"

namespace zoo::mobilenetv2 {
namespace {

constexpr const char* kWhere = "mobilenetv2::Config";
constexpr std::int64_t kMaxChannels = 8192;
constexpr std::int64_t kMaxSide = 4096;

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
        {"mobilenetv2-tiny",
         {.image_size = 64,
          .stem_channels = 16,
          .last_channels = 128,
          .inverted_residual_setting = {{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 2, 2}, {6, 64, 1, 2}},
          .num_classes = 10}},
        {"mobilenetv2", {}},
        {"mobilenetv2-0.5", {.width_mult = 0.5}},
    };
    return kPresets;
}

void require_within(std::string_view field, std::int64_t value, std::int64_t least, std::int64_t most) {
    if (value < least || value > most) {
        fail(kWhere, field, " is ", value, "; it must be in [", least, ", ", most, "]");
    }
}

}  // namespace

std::int64_t Config::divisible(std::int64_t channels, double factor) const {
    const double wanted = static_cast<double>(channels) * factor;
    const auto half = static_cast<double>(round_nearest) / 2.0;
    const auto steps = static_cast<std::int64_t>((wanted + half) / static_cast<double>(round_nearest));
    const std::int64_t rounded = std::max(round_nearest, steps * round_nearest);
    return static_cast<double>(rounded) < 0.9 * wanted ? rounded + round_nearest : rounded;
}

std::int64_t Config::last_width() const { return divisible(last_channels, std::max(1.0, width_mult)); }

std::vector<BlockShape> Config::blocks() const {
    std::vector<BlockShape> shapes;
    std::int64_t in = stem_width();
    std::int64_t side = stem_side();
    for (const Stage& stage : inverted_residual_setting) {
        const std::int64_t out = divisible(stage.channels, width_mult);
        for (std::int64_t block = 0; block < stage.blocks; ++block) {
            shapes.push_back(
                {.in = in,
                 .hidden = in * stage.expand_ratio,
                 .out = out,
                 .stride = block == 0 ? stage.stride : 1,
                 .side = side});
            in = out;
            side = shapes.back().out_side();
        }
    }
    return shapes;
}

Config preset(std::string_view name) { return find_preset(presets(), name, kWhere); }

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = names_of(presets());
    return kNames;
}

Config from_json(const std::filesystem::path& file) { return from_json(JsonConfig::load(file)); }

Config from_json(const JsonConfig& json) {
    const Config defaults;
    Config config;
    config.image_size = integer(json, "image_size", defaults.image_size);
    config.width_mult = json.number("width_mult", defaults.width_mult);
    config.round_nearest = integer(json, "round_nearest", defaults.round_nearest);
    config.num_classes = integer(json, "num_classes", defaults.num_classes);
    config.batch_norm_eps = json.number("batch_norm_eps", defaults.batch_norm_eps);
    validate(config);
    return config;
}

void validate(const Config& config) {
    if (config.num_channels != 3) {
        fail(kWhere, "num_channels is ", config.num_channels, "; it must be 3");
    }
    require_within("image_size", config.image_size, 8, kMaxSide);
    if (!(config.width_mult > 0.0 && config.width_mult <= 4.0)) {
        fail(kWhere, "width_mult is ", config.width_mult, "; it must be above 0 and at most 4");
    }
    require_within("round_nearest", config.round_nearest, 8, 64);
    if (config.round_nearest % 8 != 0) {
        fail(kWhere, "round_nearest is ", config.round_nearest, "; it must be a multiple of 8");
    }
    require_within("stem_channels", config.stem_channels, 8, kMaxChannels);
    require_within("last_channels", config.last_channels, 8, kMaxChannels);
    require_within("num_classes", config.num_classes, 1, 1'000'000);
    require_within("the number of stages", static_cast<std::int64_t>(config.inverted_residual_setting.size()), 1, 64);
    for (const Stage& stage : config.inverted_residual_setting) {
        require_within("expand_ratio", stage.expand_ratio, 1, 16);
        require_within("the channels of a stage", stage.channels, 8, kMaxChannels);
        require_within("the blocks of a stage", stage.blocks, 1, 64);
        require_within("the stride of a stage", stage.stride, 1, 2);
    }
    if (!(config.batch_norm_eps > 0.0 && config.batch_norm_eps < 1.0)) {
        fail(kWhere, "batch_norm_eps is ", config.batch_norm_eps, "; it must lie between 0 and 1");
    }
    for (const float deviation : config.image_std) {
        if (!(deviation > 0.0F)) {
            fail(kWhere, "image_std holds ", deviation, "; it must be positive");
        }
    }
}

}  // namespace zoo::mobilenetv2
