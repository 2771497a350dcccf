// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/weights.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "support/throws.hpp"
#include "zoo/conv_weights.hpp"

namespace zoo::resnet {
namespace {

// Named tensors in memory, so that each dialect of names can be tried without a file.
class Memory : public Checkpoint {
public:
    explicit Memory(std::map<std::string, HostTensor> values) : values_(std::move(values)) {
        for (const auto& [name, tensor] : values_) {
            infos_.push_back({name, "F32", tensor.shape});
        }
    }
    [[nodiscard]] const std::vector<TensorInfo>& tensors() const override { return infos_; }
    [[nodiscard]] HostTensor load(std::string_view name) const override { return values_.at(std::string(name)); }
    [[nodiscard]] std::string source() const override { return "memory"; }

private:
    std::map<std::string, HostTensor> values_;
    std::vector<TensorInfo> infos_;
};

class ResnetWeights : public ::testing::Test {
protected:
    ~ResnetWeights() override { std::filesystem::remove(file_); }

    // All tensors of `weights`, by torchvision's names.
    std::map<std::string, HostTensor> named(const Weights& weights, const Config& config) const {
        save(file_, weights, config);
        const auto checkpoint = open_checkpoint(file_);
        std::map<std::string, HostTensor> out;
        for (const TensorInfo& info : checkpoint->tensors()) {
            out[info.name] = checkpoint->load(info.name);
        }
        return out;
    }

    std::filesystem::path file_ =
        std::filesystem::path(::testing::TempDir()) /
        (std::string("resnet_") + ::testing::UnitTest::GetInstance()->current_test_info()->name() + ".safetensors");
};

TEST_F(ResnetWeights, HaveTorchvisionsNamesAndShapes) {
    const Config config = preset("resnet18");
    const auto tensors = named(random(config, 1), config);
    EXPECT_EQ(tensors.size(), 102U);  // 122 in torchvision, without 20 num_batches_tracked
    EXPECT_EQ(tensors.at("conv1.weight").shape, (Shape{64, 3, 7, 7}));
    EXPECT_EQ(tensors.at("bn1.running_var").shape, (Shape{64}));
    EXPECT_EQ(tensors.at("layer1.1.conv2.weight").shape, (Shape{64, 64, 3, 3}));
    EXPECT_EQ(tensors.at("layer4.0.downsample.0.weight").shape, (Shape{512, 256, 1, 1}));
    EXPECT_EQ(tensors.at("layer4.0.downsample.1.bias").shape, (Shape{512}));
    EXPECT_FALSE(tensors.contains("layer1.0.downsample.0.weight"));
    EXPECT_EQ(tensors.at("fc.weight").shape, (Shape{1000, 512}));
    const Config large = preset("resnet50");
    const auto more = named(random(large, 1), large);
    EXPECT_EQ(more.size(), 267U);  // 320 in torchvision, without 53
    EXPECT_EQ(more.at("layer1.0.downsample.0.weight").shape, (Shape{256, 64, 1, 1}));
    EXPECT_EQ(more.at("layer3.5.conv3.weight").shape, (Shape{1024, 256, 1, 1}));
    EXPECT_EQ(more.at("layer2.0.conv2.weight").shape, (Shape{128, 128, 3, 3}));
}

// torchvision's own counts.
TEST_F(ResnetWeights, HaveAsManyParametersAsTorchvisions) {
    const auto total = [](const char* name) {
        std::int64_t sum = 0;
        for (const PartSize& part : part_sizes(preset(name))) {
            sum += part.parameters;
        }
        return sum;
    };
    EXPECT_EQ(total("resnet18"), 11'689'512);
    EXPECT_EQ(total("resnet50"), 25'557'032);
}

TEST_F(ResnetWeights, SurviveAFile) {
    const Config config = preset("resnet-tiny");
    const Weights weights = random(config, 2);
    auto tensors = named(weights, config);
    tensors["bn1.num_batches_tracked"] = {{}, {7.0F}};
    const Weights back = load(Memory(tensors), config);
    EXPECT_EQ(back.stem.conv.weight.data, weights.stem.conv.weight.data);
    EXPECT_EQ(
        back.layers[3][0].downsample->norm.running_mean.data, weights.layers[3][0].downsample->norm.running_mean.data);
    EXPECT_EQ(back.fc.bias.data, weights.fc.bias.data);
    tensors.erase("layer2.0.conv3.weight");
    tensors["layer9.weight"] = {{1}, {0.0F}};
    tensors["fc.bias"].shape = {19};
    tensors["fc.bias"].data.pop_back();
    EXPECT_THROWS_WITH((void)load(Memory(tensors), config), "layer2.0.conv3.weight");
    EXPECT_THROWS_WITH((void)load(Memory(tensors), config), "layer9.weight");
    EXPECT_THROWS_WITH((void)load(Memory(tensors), config), "[19]");
}

TEST_F(ResnetWeights, DependOnSeedAndNameOnly) {
    const Config config = preset("resnet-tiny");
    EXPECT_EQ(
        random(config, 3).layers[1][0].conv2.conv.weight.data, random(config, 3).layers[1][0].conv2.conv.weight.data);
    EXPECT_NE(random(config, 3).fc.weight.data, random(config, 4).fc.weight.data);
    Config deeper = config;
    deeper.depths[0] = 3;
    EXPECT_EQ(random(config, 3).fc.weight.data, random(deeper, 3).fc.weight.data);
}

// What Keras keeps as [height, width, in, out], blue first, with a bias and an epsilon of 1e-3, must give the same
// folded convolution as torchvision's form does.
TEST_F(ResnetWeights, KerasNamesGiveTheSameConvolutions) {
    Config config = preset("resnet-tiny");
    config.downsample_in_bottleneck = true;
    const auto eps = static_cast<float>(config.batch_norm_eps);
    const Weights weights = random(config, 5);
    std::map<std::string, HostTensor> keras;
    const auto put = [&](const std::string& conv, const std::string& norm, const ConvNorm& from, bool turn_colours) {
        const Shape& shape = from.conv.weight.shape;
        HostTensor kernel = zeros({shape[2], shape[3], shape[1], shape[0]});
        for (std::int64_t o = 0; o < shape[0]; ++o) {
            for (std::int64_t i = 0; i < shape[1]; ++i) {
                for (std::int64_t p = 0; p < shape[2] * shape[3]; ++p) {
                    const std::int64_t colour = turn_colours ? shape[1] - 1 - i : i;
                    kernel.data[static_cast<std::size_t>((p * shape[1] + colour) * shape[0] + o)] =
                        from.conv.weight.data[static_cast<std::size_t>((o * shape[1] + i) * shape[2] * shape[3] + p)];
                }
            }
        }
        keras[conv + "/kernel"] = kernel;
        keras[conv + "/bias"] = {{shape[0]}, std::vector<float>(static_cast<std::size_t>(shape[0]), 0.25F)};
        keras[norm + "/gamma"] = from.norm.weight;
        keras[norm + "/beta"] = from.norm.bias;
        keras[norm + "/moving_mean"] = from.norm.running_mean;
        keras[norm + "/moving_variance"] = from.norm.running_var;
        for (float& mean : keras[norm + "/moving_mean"].data) {
            mean += 0.25F;
        }
        for (float& variance : keras[norm + "/moving_variance"].data) {
            variance += eps - 1e-3F;
        }
    };
    put("conv1", "bn_conv1", weights.stem, true);
    const char* names[kStages][2] = {{"2a", "2b"}, {"3a", ""}, {"4a", ""}, {"5a", ""}};
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        for (std::size_t i = 0; i < weights.layers[stage].size(); ++i) {
            const BlockWeights& block = weights.layers[stage][i];
            const std::string at = names[stage][i] + std::string("_branch");
            put("res" + at + "2a", "bn" + at + "2a", block.conv1, false);
            put("res" + at + "2b", "bn" + at + "2b", block.conv2, false);
            put("res" + at + "2c", "bn" + at + "2c", *block.conv3, false);
            if (block.downsample) {
                put("res" + at + "1", "bn" + at + "1", *block.downsample, false);
            }
        }
    }
    keras["fc1000/kernel"] = transpose(weights.fc.weight);
    keras["fc1000/bias"] = weights.fc.bias;

    const Weights back = load(Memory(keras), config);
    EXPECT_EQ(back.fc.weight.data, weights.fc.weight.data);
    const auto expect_same = [&](const ConvNorm& expected, const ConvNorm& found) {
        const ConvWeights a = fold_batch_norm(expected.conv, expected.norm, eps);
        const ConvWeights b = fold_batch_norm(found.conv, found.norm, eps);
        ASSERT_EQ(a.weight.shape, b.weight.shape);
        for (std::size_t i = 0; i < a.weight.data.size(); ++i) {
            ASSERT_NEAR(a.weight.data[i], b.weight.data[i], 1e-5F) << i;
        }
        for (std::size_t i = 0; i < a.bias->data.size(); ++i) {
            ASSERT_NEAR(a.bias->data[i], b.bias->data[i], 1e-5F) << i;
        }
    };
    expect_same(weights.stem, back.stem);
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        for (std::size_t i = 0; i < weights.layers[stage].size(); ++i) {
            expect_same(weights.layers[stage][i].conv1, back.layers[stage][i].conv1);
            expect_same(weights.layers[stage][i].conv2, back.layers[stage][i].conv2);
            expect_same(*weights.layers[stage][i].conv3, *back.layers[stage][i].conv3);
        }
    }
    keras.erase("res4a_branch1/bias");
    EXPECT_THROWS_WITH((void)load(Memory(keras), config), "res4a_branch1/bias");
}

}  // namespace
}  // namespace zoo::resnet
