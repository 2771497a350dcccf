// SPDX-License-Identifier: Apache-2.0
#include "models/mnist/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "models/mnist/digits.hpp"
#include "models/mnist/placement.hpp"
#include "models/mnist/preprocess.hpp"
#include "models/mnist/weights.hpp"
#include "support/throws.hpp"

namespace zoo::mnist {
namespace {

using ::testing::ElementsAre;

TEST(MnistConfig, RefusesByFieldValueAndRule) {
    EXPECT_NO_THROW(validate(preset("mnist")));
    EXPECT_THROWS_WITH((void)preset("digits"), "there is no preset 'digits'; it must be mnist");
    const auto refused = [](auto change, const char* text) {
        Config config;
        change(config);
        EXPECT_THROWS_WITH(validate(config), text);
    };
    refused([](Config& c) { c.num_channels = 1; }, "num_channels is 1; it must be 3");
    refused([](Config& c) { c.image_size = 28; }, "image_size is 28; it must be a multiple of 8");
    refused([](Config& c) { c.conv_channels[1] = 24; }, "conv_channels holds 24; it must be a multiple of 32");
    refused([](Config& c) { c.hidden_size = 0; }, "hidden_size is 0");
    refused([](Config& c) { c.num_classes = 0; }, "num_classes is 0");
    refused([](Config& c) { c.image_std = 0.0F; }, "image_std is 0; it must be positive");
    EXPECT_THROWS_WITH((void)placement_for({}, 0, ttnn::CoreCoord(8, 8)), "batch is 0; it must be positive");
}

class MnistFiles : public ::testing::Test {
protected:
    void SetUp() override { std::filesystem::create_directories(directory_); }
    void TearDown() override { std::filesystem::remove_all(directory_); }

    void write(const char* name, const std::string& bytes) const {
        std::ofstream(directory_ / name, std::ios::binary) << bytes;
    }

    std::filesystem::path directory_ =
        std::filesystem::temp_directory_path() / ("zoo.mnist." + std::to_string(::getpid()));
};

TEST_F(MnistFiles, WeightsSurviveAFile) {
    const Config config;
    const Weights weights = random(config, 1);
    save(directory_ / "w.safetensors", weights, config);
    const Weights loaded = load(*open_checkpoint(directory_ / "w.safetensors"), config);
    EXPECT_EQ(loaded.convolutions[2].weight.data, weights.convolutions[2].weight.data);
    EXPECT_EQ(loaded.convolutions[0].bias->data, weights.convolutions[0].bias->data);
    EXPECT_EQ(loaded.fc2.bias.data, weights.fc2.bias.data);
    Config other;
    other.hidden_size = 96;
    EXPECT_THROWS_WITH(
        (void)load(*open_checkpoint(directory_ / "w.safetensors"), other),
        "'fc1.weight' is [64, 1024] where [96, 1024] is needed");
}

const std::string kTwoDigits(
    "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x02"
    "abcd",
    20);
const std::string kTwoLabels("\0\0\x08\x01\0\0\0\x02\x07\x03", 10);

TEST_F(MnistFiles, ReadsIdx) {
    write("t-images-idx3-ubyte", kTwoDigits);
    write("t-labels-idx1-ubyte", kTwoLabels);
    const Digits digits = read_digits(directory_, "t");
    EXPECT_EQ(digits.count, 2);
    EXPECT_EQ(digits.height, 1);
    EXPECT_EQ(digits.width, 2);
    EXPECT_THAT(digits.pixels, ElementsAre('a', 'b', 'c', 'd'));
    EXPECT_THAT(digits.labels, ElementsAre(7, 3));
}

TEST_F(MnistFiles, RefusesWhatIsNoIdx) {
    EXPECT_THROWS_WITH((void)read_digits(directory_, "t"), "t-images-idx3-ubyte cannot be read");
    write("t-labels-idx1-ubyte", kTwoLabels);
    for (std::size_t length = 0; length < kTwoDigits.size(); ++length) {
        write("t-images-idx3-ubyte", kTwoDigits.substr(0, length));
        EXPECT_THROWS_WITH((void)read_digits(directory_, "t"), "t-images-idx3-ubyte ");
    }
    write("t-images-idx3-ubyte", std::string("\0\0\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16));
    EXPECT_THROWS_WITH((void)read_digits(directory_, "t"), "needs another number");
    write("t-images-idx3-ubyte", kTwoDigits);
    write("t-labels-idx1-ubyte", std::string("\0\0\x08\x01\0\0\0\x01\x07", 9));
    EXPECT_THROWS_WITH((void)read_digits(directory_, "t"), "has 2 digits; there are 1 labels");
}

TEST(MnistDigits, AreCentredAndNormalised) {
    const Config config;
    const Digits digits{.count = 1, .height = 2, .width = 2, .pixels = {0, 255, 0, 0}, .labels = {1}};
    const HostTensor images = digit_images(config, digits, 0, 1);
    EXPECT_EQ(images.shape, (Shape{1, 3, 32, 32}));
    const float black = -config.image_mean / config.image_std;
    const float white = (1.0F - config.image_mean) / config.image_std;
    for (std::size_t channel = 0; channel < 3; ++channel) {
        EXPECT_FLOAT_EQ(images.data[channel * 1024 + 15 * 32 + 16], white);
        EXPECT_FLOAT_EQ(images.data[channel * 1024 + 16 * 32 + 16], black);
        EXPECT_FLOAT_EQ(images.data[channel * 1024], black);
    }
    EXPECT_THROWS_WITH((void)digit_images(config, digits, 1, 1), "digits 1 to 2 are asked for; there are 1");
    Config small = config;
    small.image_size = 8;
    EXPECT_THROWS_WITH(
        (void)digit_images(small, drawn_digits(1, 1), 0, 1), "digits are 28x28; the network takes up to 8x8");
}

TEST(MnistPreprocess, ColumnsByPixel) {
    // One output; two channels of three pixels.
    const HostTensor weight{{1, 6}, {0, 1, 2, 10, 11, 12}};
    EXPECT_THAT(by_pixel(weight, 2).data, ElementsAre(0, 10, 1, 11, 2, 12));
}

}  // namespace
}  // namespace zoo::mnist
