// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace zoo {
class JsonConfig;
}

namespace zoo::resnet {

inline constexpr std::size_t kStages = 4;  // layer1 to layer4

// The field names of a Hugging Face config.json and preprocessor_config.json; the defaults are ResNet-50's.
struct Config {
    std::int64_t num_channels = 3;
    std::int64_t embedding_size = 64;                                      // channels behind the stem
    std::array<std::int64_t, kStages> hidden_sizes{256, 512, 1024, 2048};  // channels behind each stage
    std::array<std::int64_t, kStages> depths{3, 4, 6, 3};                  // blocks of each stage
    std::string layer_type = "bottleneck";                                 // or "basic"
    bool downsample_in_bottleneck = false;  // stride 2 on the first 1x1 (v1), not on the 3x3 (v1.5)
    std::int64_t num_labels = 1000;
    double batch_norm_eps = 1e-5;

    std::int64_t image_size = 224;
    bool small_images = false;  // a 3x3 stem of stride 1 and no max-pool, for 32x32
    // Of red, green and blue in [0, 1]: a pixel becomes (value - mean) / std.
    std::array<float, 3> image_mean{0.485F, 0.456F, 0.406F};
    std::array<float, 3> image_std{0.229F, 0.224F, 0.225F};

    [[nodiscard]] bool bottleneck() const { return layer_type == "bottleneck"; }
    // Channels inside the blocks of a stage.
    [[nodiscard]] std::int64_t inner_size(std::size_t stage) const {
        return bottleneck() ? hidden_sizes[stage] / 4 : hidden_sizes[stage];
    }
    // Of the first block of a stage.
    [[nodiscard]] static std::uint32_t stride(std::size_t stage) { return stage == 0 ? 1 : 2; }
    // Height and width that come out of the stem, and out of a stage.
    [[nodiscard]] std::int64_t stem_side() const;
    [[nodiscard]] std::int64_t stage_side(std::size_t stage) const;

    bool operator==(const Config&) const = default;
};

// "resnet-tiny" (for tests), "resnet18", "resnet18-cifar", "resnet50", "resnet50-v1". Error for any other name, listing
// these.
[[nodiscard]] Config preset(std::string_view name);
[[nodiscard]] const std::vector<std::string_view>& preset_names();

// Reads and validates a config.json: a path to it, or a parsed one. num_labels follows id2label where that is given.
[[nodiscard]] Config from_json(const std::filesystem::path& file);
[[nodiscard]] Config from_json(const JsonConfig& json);

// Error naming the first field that no code here can run, its value and the rule.
void validate(const Config& config);

}  // namespace zoo::resnet
