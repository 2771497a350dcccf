// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/config.hpp"

#include "zoo/error.hpp"

namespace zoo::mnist {
namespace {

constexpr const char* kWhere = "mnist::Config";
// Channels lie in whole tiles, so that flattening an image moves no padding.
constexpr std::int64_t kTile = 32;

}  // namespace

Config preset(std::string_view name) {
    if (name != "mnist") {
        fail(kWhere, "there is no preset '", name, "'; it must be mnist");
    }
    return {};
}

const std::vector<std::string_view>& preset_names() {
    static const std::vector<std::string_view> kNames{"mnist"};
    return kNames;
}

void validate(const Config& config) {
    if (config.num_channels != 3) {
        fail(kWhere, "num_channels is ", config.num_channels, "; it must be 3");
    }
    if (config.image_size < 8 || config.image_size > 256 || config.image_size % 8 != 0) {
        fail(kWhere, "image_size is ", config.image_size, "; it must be a multiple of 8 in [8, 256]");
    }
    for (const std::int64_t channels : config.conv_channels) {
        if (channels < kTile || channels > 1024 || channels % kTile != 0) {
            fail(kWhere, "conv_channels holds ", channels, "; it must be a multiple of ", kTile, " in [32, 1024]");
        }
    }
    if (config.hidden_size < 1 || config.hidden_size > 4096) {
        fail(kWhere, "hidden_size is ", config.hidden_size, "; it must be in [1, 4096]");
    }
    if (config.num_classes < 1 || config.num_classes > 1000) {
        fail(kWhere, "num_classes is ", config.num_classes, "; it must be in [1, 1000]");
    }
    if (!(config.image_std > 0.0F)) {
        fail(kWhere, "image_std is ", config.image_std, "; it must be positive");
    }
}

}  // namespace zoo::mnist
