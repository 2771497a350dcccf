// SPDX-License-Identifier: Apache-2.0
// A Darknet cfg as a Config: the sections that have weights must be those of the architecture.
#include <string>

#include "models/yolov4/config.hpp"
#include "models/yolov4/weights.hpp"
#include "zoo/darknet.hpp"

namespace zoo::yolov4 {
namespace {

// Resblocks follow from the shortcuts between the convolutions of stride 2: one more for the first stage, which has no module.
std::vector<std::int64_t> resblocks_of(const DarknetCfg& cfg) {
    std::vector<std::int64_t> stages;
    for (const DarknetSection& section : cfg.sections()) {
        if (section.name() == "convolutional" && section.integer("stride", 1) == 2) {
            stages.push_back(0);
        } else if (section.name() == "shortcut" && !stages.empty()) {
            ++stages.back();
        }
    }
    // Behind the backbone the head halves its maps again.
    std::vector<std::int64_t> blocks;
    for (std::size_t i = 1; i < stages.size() && stages[i] > 0; ++i) {
        blocks.push_back(stages[i]);
    }
    return blocks;
}

void read_head(const DarknetSection& yolo, std::int64_t stride, Config& config) {
    const std::vector<double> anchors = yolo.numbers("anchors");
    const std::vector<std::int64_t> mask = yolo.integers("mask");
    if (anchors.size() % 2 != 0) {
        yolo.refuse("anchors are pairs, but there are " + std::to_string(anchors.size()) + " numbers");
    }
    if (mask.size() != 3) {
        yolo.refuse("mask has " + std::to_string(mask.size()) + " anchors; only 3 are implemented");
    }
    std::vector<std::array<double, 2>> pairs;
    for (std::size_t i = 0; i < anchors.size(); i += 2) {
        pairs.push_back({anchors[i], anchors[i + 1]});
    }
    const std::int64_t classes = yolo.integer("classes");
    if (!config.scales.empty() && (pairs != config.anchors || classes != config.num_classes)) {
        yolo.refuse("anchors and classes differ from those of the first [yolo]");
    }
    if (yolo.integer("new_coords", 0) != 0) {
        yolo.refuse("new_coords is not implemented");
    }
    config.anchors = std::move(pairs);
    config.num_classes = classes;
    config.scales.push_back({stride, {mask[0], mask[1], mask[2]}, yolo.number("scale_x_y", 1.0)});
}

void check(const DarknetSection& section, std::string_view key, std::int64_t value, const Layer& layer) {
    if (value != section.integer(key, key == "stride" || key == "size" ? 1 : 0)) {
        section.refuse(
            std::string(key) + " is " + section.text(key, "not given") + "; " + layer.name + " has " +
            std::to_string(value));
    }
}

void check_convolutions(const DarknetCfg& cfg, const Config& config) {
    Weights weights = empty_weights(config);
    const std::vector<Layer> table = layers(weights);
    std::size_t next = 0;
    for (const DarknetSection& section : cfg.sections()) {
        if (section.name() != "convolutional") {
            continue;
        }
        if (next == table.size()) {
            section.refuse(
                "is more than " + std::string(to_string(config.architecture)) + " has: " + std::to_string(next) +
                " convolutions");
        }
        const Layer& layer = table[next++];
        check(section, "filters", layer.conv->out, layer);
        check(section, "size", layer.conv->kernel, layer);
        check(section, "stride", layer.conv->stride, layer);
        check(section, "batch_normalize", layer.conv->norm ? 1 : 0, layer);
        if (section.integer("groups", 1) != 1) {
            section.refuse("groups is " + section.text("groups") + "; " + layer.name + " has 1");
        }
        if (section.text("activation") != to_string(layer.conv->activation)) {
            section.refuse(
                "activation is " + section.text("activation") + "; " + layer.name + " has " +
                std::string(to_string(layer.conv->activation)));
        }
    }
    if (next != table.size()) {
        cfg.sections().back().refuse(
            "is the last section, and there are " + std::to_string(next) + " convolutions; " +
            std::string(to_string(config.architecture)) + " has " + std::to_string(table.size()));
    }
}

}  // namespace

Config from_cfg(const std::filesystem::path& file) { return from_cfg(DarknetCfg::load(file)); }

Config from_cfg(const DarknetCfg& cfg) {
    const DarknetSection& net = cfg.sections().front();
    if (net.name() != "net" && net.name() != "network") {
        net.refuse("is the first section; it must be [net]");
    }
    if (net.integer("channels", 3) != 3) {
        net.refuse("channels is " + net.text("channels") + "; pictures have 3");
    }
    Config config;
    config.height = net.integer("height");
    config.width = net.integer("width");
    config.resblocks = resblocks_of(cfg);
    config.architecture = config.resblocks.empty() ? Architecture::Tiny : Architecture::Full;
    const bool full = config.architecture == Architecture::Full;
    bool first = true;
    std::int64_t stride = full ? 8 : 32;
    for (const DarknetSection& section : cfg.sections()) {
        if (section.name() == "convolutional" && std::exchange(first, false)) {
            config.base_channels = section.integer("filters");
        }
        if (section.name() == "yolo") {
            read_head(section, stride, config);
            stride = full ? stride * 2 : stride / 2;
        }
    }
    validate(config);
    check_convolutions(cfg, config);
    return config;
}

}  // namespace zoo::yolov4
