// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/weights.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "support/real_weights.hpp"
#include "support/throws.hpp"

namespace zoo::mobilenetv2 {
namespace {

class MobileNetV2Weights : public ::testing::Test {
protected:
    void TearDown() override { std::filesystem::remove(file_); }

    Config config_ = preset("mobilenetv2-tiny");
    std::filesystem::path file_ =
        std::filesystem::temp_directory_path() / ("zoo.mobilenetv2." + std::to_string(::getpid()) + ".safetensors");
};

TEST_F(MobileNetV2Weights, SurviveAFile) {
    const Weights weights = random(config_, 1);
    save(file_, weights, config_);
    const auto checkpoint = open_checkpoint(file_);
    // torchvision's names, for a block that expands, one that does not, and what is around them.
    for (const char* name :
         {"features.0.0.weight", "features.0.1.running_var", "features.1.conv.0.0.weight", "features.1.conv.1.weight",
          "features.1.conv.2.bias", "features.2.conv.0.0.weight", "features.2.conv.1.0.weight",
          "features.2.conv.1.1.weight", "features.2.conv.2.weight", "features.2.conv.3.running_mean",
          "features.7.0.weight", "classifier.1.weight", "classifier.1.bias"}) {
        EXPECT_TRUE(checkpoint->contains(name)) << name;
    }
    const Weights loaded = load(*checkpoint, config_);
    EXPECT_EQ(loaded.stem.conv.weight.data, weights.stem.conv.weight.data);
    EXPECT_EQ(loaded.blocks[1].expand->norm.running_mean.data, weights.blocks[1].expand->norm.running_mean.data);
    EXPECT_EQ(loaded.blocks[2].depthwise.conv.weight.data, weights.blocks[2].depthwise.conv.weight.data);
    EXPECT_EQ(loaded.classifier.bias.data, weights.classifier.bias.data);
}

TEST_F(MobileNetV2Weights, AnotherModelIsRefusedByName) {
    save(file_, random(config_, 1), config_);
    Config wider = config_;
    wider.width_mult = 2.0;
    EXPECT_THROWS_WITH(
        (void)load(*open_checkpoint(file_), wider),
        "'features.0.0.weight' is [16, 3, 3, 3] where [32, 3, 3, 3] is needed");
    Config longer = config_;
    longer.inverted_residual_setting.push_back({6, 64, 1, 1});
    EXPECT_THROWS_WITH((void)load(*open_checkpoint(file_), longer), "missing: 'features.7.conv.0.0.weight'");
}

TEST_F(MobileNetV2Weights, TheCheckpointOfTorchvisionLoads) {
    ZOO_REQUIRE_WEIGHTS(directory, "mobilenetv2");
    const Config config = preset("mobilenetv2");
    const Weights weights = load(*open_checkpoint(*directory), config);
    EXPECT_EQ(weights.blocks.size(), 17U);
    EXPECT_EQ(weights.classifier.weight.shape, (Shape{1000, 1280}));
}

}  // namespace
}  // namespace zoo::mobilenetv2
