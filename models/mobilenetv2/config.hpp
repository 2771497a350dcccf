// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "zoo/pixels.hpp"

namespace zoo {
class JsonConfig;
}

namespace zoo::mobilenetv2 {

// A run of blocks with the same channels: a row of table 2 of Sandler et al. (2018), before width_mult.
struct Stage {
    std::int64_t expand_ratio = 6;  // t: how much wider a block is inside
    std::int64_t channels = 0;      // c: behind each block
    std::int64_t blocks = 1;        // n
    std::int64_t stride = 1;        // s, of the first block

    bool operator==(const Stage&) const = default;
};

// One inverted residual block.
struct BlockShape {
    std::int64_t in = 0;
    std::int64_t hidden = 0;  // channels of the depthwise convolution
    std::int64_t out = 0;
    std::int64_t stride = 1;
    std::int64_t side = 0;  // height and width of its input

    [[nodiscard]] bool expands() const { return hidden != in; }
    [[nodiscard]] bool residual() const { return stride == 1 && in == out; }
    [[nodiscard]] std::int64_t out_side() const { return (side + stride - 1) / stride; }

    bool operator==(const BlockShape&) const = default;
};

// The names of torchvision's constructor, and those of a preprocessor_config.json; the defaults are its mobilenet_v2.
struct Config {
    std::int64_t num_channels = 3;
    std::int64_t image_size = 224;
    double width_mult = 1.0;          // of all channels
    std::int64_t round_nearest = 8;   // channels are rounded to multiples of this
    std::int64_t stem_channels = 32;  // before width_mult
    std::int64_t last_channels = 1280;
    std::vector<Stage> inverted_residual_setting{{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                                 {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    std::int64_t num_classes = 1000;
    double batch_norm_eps = 1e-5;
    // Of red, green and blue in [0, 1]: a pixel becomes (value - mean) / std.
    std::array<float, 3> image_mean{0.485F, 0.456F, 0.406F};
    std::array<float, 3> image_std{0.229F, 0.224F, 0.225F};

    // torchvision's _make_divisible of `channels` times `factor`: rounded, but never down by more than a tenth.
    [[nodiscard]] std::int64_t divisible(std::int64_t channels, double factor) const;

    [[nodiscard]] std::int64_t stem_width() const { return divisible(stem_channels, width_mult); }
    // Of the last convolution: it does not shrink below a width of 1.
    [[nodiscard]] std::int64_t last_width() const;
    [[nodiscard]] std::vector<BlockShape> blocks() const;
    // Height and width that the stem makes, and those that reach the classifier.
    [[nodiscard]] std::int64_t stem_side() const { return (image_size + 1) / 2; }
    [[nodiscard]] std::int64_t last_side() const { return blocks().back().out_side(); }
    [[nodiscard]] ImageSize size() const { return {num_channels, image_size, image_size}; }

    bool operator==(const Config&) const = default;
};

// "mobilenetv2-tiny" (for tests), "mobilenetv2", "mobilenetv2-0.5". Error for any other name, listing these.
[[nodiscard]] Config preset(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& preset_names();

// Reads and validates a config.json: a path to it, or a parsed one. The blocks are the default's.
[[nodiscard]] Config from_json(const std::filesystem::path& file);
[[nodiscard]] Config from_json(const JsonConfig& json);

// Error naming the first field that no code here can run, its value and the rule.
void validate(const Config& config);

}  // namespace zoo::mobilenetv2
