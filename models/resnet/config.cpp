// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/config.hpp"

#include <algorithm>
#include <iterator>

#include "zoo/error.hpp"
#include "zoo/json_integer.hpp"
#include "zoo/presets.hpp"

namespace zoo::resnet {
namespace {

constexpr const char* kWhere = "resnet::Config";

// Whole images pass through L1; beyond this a batch of one no longer fits there.
constexpr std::int64_t kMaxImage = 512;

Config resnet18() { return {.hidden_sizes = {64, 128, 256, 512}, .depths = {2, 2, 2, 2}, .layer_type = "basic"}; }

// The narrow ResNet-18 that scripts/train_cifar10.py trains.
Config resnet18_cifar() {
    Config config = resnet18();
    config.embedding_size = 16;
    config.hidden_sizes = {16, 32, 64, 128};
    config.num_labels = 10;
    config.image_size = 32;
    config.small_images = true;
    config.image_mean = {0.4914F, 0.4822F, 0.4465F};
    config.image_std = {0.2470F, 0.2435F, 0.2616F};
    return config;
}

// Stride and preprocessing of the original: Caffe's means on values up to 255, and no deviation.
Config resnet50_v1() {
    return {
        .downsample_in_bottleneck = true,
        .image_mean = {123.68F / 255, 116.779F / 255, 103.939F / 255},
        .image_std = {1.0F / 255, 1.0F / 255, 1.0F / 255}};
}

const std::vector<Preset<Config>>& presets() {
    static const std::vector<Preset<Config>> kPresets{
        {"resnet-tiny",
         {.embedding_size = 32,
          .hidden_sizes = {128, 128, 256, 256},
          .depths = {2, 1, 1, 1},
          .num_labels = 20,
          .image_size = 64}},
        {"resnet18", resnet18()},
        {"resnet18-cifar", resnet18_cifar()},
        {"resnet50", {}},
        {"resnet50-v1", resnet50_v1()},
    };
    return kPresets;
}

void require_positive(std::string_view field, std::int64_t value) {
    if (value <= 0) {
        fail(kWhere, field, " is ", value, "; it must be positive");
    }
}

std::array<std::int64_t, kStages> four(const JsonConfig& json, std::string_view key) {
    const std::vector<std::int64_t> list = json.int64_list(key);
    if (list.size() != kStages) {
        fail(kWhere, key, " has ", list.size(), " values; there must be ", kStages);
    }
    std::array<std::int64_t, kStages> values{};
    std::copy(list.begin(), list.end(), values.begin());
    return values;
}

std::int64_t halved(std::int64_t side) { return (side + 1) / 2; }

}  // namespace

std::int64_t Config::stem_side() const { return small_images ? image_size : halved(halved(image_size)); }

std::int64_t Config::stage_side(std::size_t stage) const {
    std::int64_t side = stem_side();
    for (std::size_t i = 1; i <= stage; ++i) {
        side = halved(side);
    }
    return side;
}

Config preset(std::string_view name) { return find_preset(presets(), name, kWhere); }

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames = names_of(presets());
    return kNames;
}

Config from_json(const std::filesystem::path& file) { return from_json(JsonConfig::load(file)); }

Config from_json(const JsonConfig& json) {
    Config config;
    config.num_channels = integer(json, "num_channels", config.num_channels);
    config.embedding_size = integer(json, "embedding_size");
    config.hidden_sizes = four(json, "hidden_sizes");
    config.depths = four(json, "depths");
    config.layer_type = json.string("layer_type");
    config.downsample_in_bottleneck = json.boolean("downsample_in_bottleneck", config.downsample_in_bottleneck);
    config.num_labels = integer(json, "num_labels", config.num_labels);
    if (json.contains("id2label")) {
        config.num_labels = std::ssize(json.string_map("id2label"));
    }
    config.image_size = integer(json, "image_size", config.image_size);
    config.small_images = json.boolean("small_images", config.small_images);
    config.batch_norm_eps = json.number("batch_norm_eps", config.batch_norm_eps);
    validate(config);
    return config;
}

void validate(const Config& config) {
    if (config.num_channels != 3) {
        fail(kWhere, "num_channels is ", config.num_channels, "; it must be 3: red, green and blue");
    }
    if (config.layer_type != "basic" && config.layer_type != "bottleneck") {
        fail(kWhere, "layer_type is '", config.layer_type, "'; it must be 'basic' or 'bottleneck'");
    }
    if (config.downsample_in_bottleneck && !config.bottleneck()) {
        fail(kWhere, "downsample_in_bottleneck is set; layer_type '", config.layer_type, "' has no bottleneck");
    }
    require_positive("embedding_size", config.embedding_size);
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        const std::string at = std::string("[").append(std::to_string(stage)).append("]");
        require_positive("hidden_sizes" + at, config.hidden_sizes[stage]);
        require_positive("depths" + at, config.depths[stage]);
        if (config.bottleneck() && config.hidden_sizes[stage] % 4 != 0) {
            fail(
                kWhere, "hidden_sizes", at, " is ", config.hidden_sizes[stage], "; a bottleneck needs a multiple of 4");
        }
    }
    require_positive("num_labels", config.num_labels);
    const std::int64_t smallest = config.small_images ? 8 : 32;
    if (config.image_size < smallest || config.image_size > kMaxImage || config.image_size % 2 != 0) {
        fail(
            kWhere, "image_size is ", config.image_size, "; it must be even and between ", smallest, " and ",
            kMaxImage);
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

}  // namespace zoo::resnet
