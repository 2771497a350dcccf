// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/config.hpp"

#include <gtest/gtest.h>

#include "support/throws.hpp"
#include "zoo/json_config.hpp"

namespace zoo::resnet {
namespace {

TEST(ResnetConfig, PresetsAreValidAndHaveTheSizesOfTheirNetworks) {
    for (const std::string_view name : preset_names()) {
        EXPECT_NO_THROW(validate(preset(name))) << name;
    }
    const Config large = preset("resnet50");
    EXPECT_EQ(large.stem_side(), 56);
    EXPECT_EQ(large.stage_side(3), 7);
    EXPECT_EQ(large.inner_size(3), 512);
    EXPECT_FALSE(large.downsample_in_bottleneck);
    EXPECT_TRUE(preset("resnet50-v1").downsample_in_bottleneck);
    const Config small = preset("resnet18-cifar");
    EXPECT_EQ(small.stem_side(), 32);
    EXPECT_EQ(small.stage_side(3), 4);
    EXPECT_EQ(small.inner_size(3), 128);
    EXPECT_THROWS_WITH(
        (void)preset("resnet51"), "there is no preset 'resnet51'; it must be one of resnet-tiny, resnet18");
}

TEST(ResnetConfig, ReadsHuggingFacesNames) {
    const Config config = from_json(JsonConfig::parse(
        R"({"num_channels": 3, "embedding_size": 64, "hidden_sizes": [64, 128, 256, 512], "depths": [2, 2, 2, 2],
            "layer_type": "basic", "hidden_act": "relu", "id2label": {"0": "a", "1": "b"}})",
        "config.json"));
    Config expected = preset("resnet18");
    expected.num_labels = 2;
    EXPECT_EQ(config, expected);
    EXPECT_THROWS_WITH(
        (void)from_json(JsonConfig::parse(
            R"({"embedding_size": 64, "hidden_sizes": [64], "depths": [2], "layer_type": "basic"})", "config.json")),
        "hidden_sizes has 1 values; there must be 4");
}

TEST(ResnetConfig, RefusesWhatNoCodeCanRun) {
    const auto broken = [](auto change) {
        Config config = preset("resnet50");
        change(config);
        return config;
    };
    const auto refused = [&](auto change, const char* text) { EXPECT_THROWS_WITH(validate(broken(change)), text); };
    refused([](Config& c) { c.num_channels = 1; }, "num_channels is 1; it must be 3");
    refused([](Config& c) { c.layer_type = "wide"; }, "layer_type is 'wide'; it must be 'basic' or 'bottleneck'");
    refused([](Config& c) { c.embedding_size = 0; }, "embedding_size is 0; it must be positive");
    refused([](Config& c) { c.hidden_sizes[2] = 1022; }, "hidden_sizes[2] is 1022; a bottleneck needs a multiple of 4");
    refused([](Config& c) { c.depths[1] = 0; }, "depths[1] is 0; it must be positive");
    refused([](Config& c) { c.num_labels = -1; }, "num_labels is -1; it must be positive");
    refused([](Config& c) { c.image_size = 31; }, "image_size is 31; it must be even and between 32 and 512");
    refused([](Config& c) { c.image_size = 1024; }, "image_size is 1024; it must be even and between 32 and 512");
    refused([](Config& c) { c.batch_norm_eps = 0.0; }, "batch_norm_eps is 0; it must lie between 0 and 1");
    refused([](Config& c) { c.image_std[1] = 0.0F; }, "image_std holds 0; it must be positive");
    Config basic = preset("resnet18");
    basic.downsample_in_bottleneck = true;
    EXPECT_THROWS_WITH(validate(basic), "downsample_in_bottleneck is set; layer_type 'basic' has no bottleneck");
}

}  // namespace
}  // namespace zoo::resnet
