// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/config.hpp"

#include <gtest/gtest.h>

#include "models/mobilenetv2/placement.hpp"
#include "support/throws.hpp"
#include "zoo/json_config.hpp"

namespace zoo::mobilenetv2 {
namespace {

TEST(MobileNetV2Config, TheDefaultsAreTorchvisions) {
    const Config config = preset("mobilenetv2");
    const std::vector<BlockShape> blocks = config.blocks();
    ASSERT_EQ(blocks.size(), 17U);
    EXPECT_EQ(blocks[0], (BlockShape{.in = 32, .hidden = 32, .out = 16, .stride = 1, .side = 112}));
    EXPECT_EQ(blocks[1], (BlockShape{.in = 16, .hidden = 96, .out = 24, .stride = 2, .side = 112}));
    EXPECT_EQ(blocks[2], (BlockShape{.in = 24, .hidden = 144, .out = 24, .stride = 1, .side = 56}));
    EXPECT_EQ(blocks[16], (BlockShape{.in = 160, .hidden = 960, .out = 320, .stride = 1, .side = 7}));
    EXPECT_FALSE(blocks[0].expands());
    EXPECT_FALSE(blocks[0].residual());
    EXPECT_FALSE(blocks[1].residual());
    EXPECT_TRUE(blocks[2].residual());
    EXPECT_EQ(config.last_width(), 1280);
    EXPECT_EQ(config.last_side(), 7);
}

TEST(MobileNetV2Config, WidthsAreRoundedAsTorchvisionDoes) {
    const Config half = preset("mobilenetv2-0.5");
    EXPECT_EQ(half.stem_width(), 16);
    EXPECT_EQ(half.blocks()[1].out, 16);   // 12, which would shrink by more than a tenth as 8
    EXPECT_EQ(half.blocks()[13].out, 80);  // 160 / 2
    EXPECT_EQ(half.last_width(), 1280);    // never below
    Config wide = preset("mobilenetv2");
    wide.width_mult = 1.4;
    EXPECT_EQ(wide.stem_width(), 48);
    EXPECT_EQ(wide.last_width(), 1792);
}

TEST(MobileNetV2Config, EveryPresetIsValid) {
    for (const std::string_view name : preset_names()) {
        EXPECT_NO_THROW(validate(preset(name))) << name;
    }
    EXPECT_THROWS_WITH(
        (void)preset("mobilenetv3"), "there is no preset 'mobilenetv3'; it must be one of mobilenetv2-tiny");
}

TEST(MobileNetV2Config, ReadsJson) {
    const Config config =
        from_json(JsonConfig::parse(R"({"width_mult": 0.75, "image_size": 160, "num_classes": 7})", "config.json"));
    EXPECT_EQ(config.width_mult, 0.75);
    EXPECT_EQ(config.image_size, 160);
    EXPECT_EQ(config.num_classes, 7);
}

TEST(MobileNetV2Config, RefusesByFieldValueAndRule) {
    const auto refused = [](auto change, const char* text) {
        Config config;
        change(config);
        EXPECT_THROWS_WITH(validate(config), text);
    };
    refused([](Config& c) { c.num_channels = 1; }, "num_channels is 1; it must be 3");
    refused([](Config& c) { c.image_size = 4; }, "image_size is 4; it must be in [8, 4096]");
    refused([](Config& c) { c.width_mult = 0.0; }, "width_mult is 0; it must be above 0 and at most 4");
    refused([](Config& c) { c.round_nearest = 12; }, "round_nearest is 12; it must be a multiple of 8");
    refused([](Config& c) { c.stem_channels = 0; }, "stem_channels is 0");
    refused([](Config& c) { c.last_channels = 9000; }, "last_channels is 9000");
    refused([](Config& c) { c.num_classes = 0; }, "num_classes is 0");
    refused([](Config& c) { c.inverted_residual_setting.clear(); }, "the number of stages is 0");
    refused([](Config& c) { c.inverted_residual_setting[0].stride = 3; }, "the stride of a stage is 3");
    refused([](Config& c) { c.inverted_residual_setting[0].blocks = 0; }, "the blocks of a stage is 0");
    refused([](Config& c) { c.inverted_residual_setting[0].expand_ratio = 0; }, "expand_ratio is 0");
    refused([](Config& c) { c.batch_norm_eps = 0.0; }, "batch_norm_eps is 0; it must lie between 0 and 1");
    refused([](Config& c) { c.image_std[1] = 0.0F; }, "image_std holds 0; it must be positive");
}

TEST(MobileNetV2Placement, CutsByHeightUntilWeightsOutgrowACore) {
    const Placement place = placement_for(preset("mobilenetv2"), 10, ttnn::CoreCoord(8, 8));
    ASSERT_EQ(place.blocks.size(), 17U);
    EXPECT_EQ(place.blocks[4].depthwise.shard_layout, ttnn::TensorMemoryLayout::HEIGHT_SHARDED);
    EXPECT_EQ(place.blocks[8].depthwise.shard_layout, ttnn::TensorMemoryLayout::BLOCK_SHARDED);
    // Of batch 10 only the widest tensor does not fit in bfloat16.
    for (std::size_t i = 0; i < place.blocks.size(); ++i) {
        EXPECT_EQ(place.blocks[i].expanded_dtype, i == 1 ? ttnn::DataType::BFLOAT8_B : ttnn::DataType::BFLOAT16) << i;
        EXPECT_EQ(place.blocks[i].filtered_dtype, ttnn::DataType::BFLOAT16) << i;
    }
    EXPECT_EQ(
        placement_for(preset("mobilenetv2"), 1, ttnn::CoreCoord(8, 8)).blocks[1].expanded_dtype,
        ttnn::DataType::BFLOAT16);
    EXPECT_THROWS_WITH(
        (void)placement_for(preset("mobilenetv2"), 0, ttnn::CoreCoord(8, 8)), "batch is 0; it must be positive");
}

}  // namespace
}  // namespace zoo::mobilenetv2
