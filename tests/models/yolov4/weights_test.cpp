// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/weights.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "models/yolov4/preprocess.hpp"
#include "tests/common/scratch.hpp"

namespace zoo::yolov4 {
namespace {

using testing::bytes_of;
using testing::expect_error;

std::size_t values_of(Weights weights) {
    std::size_t count = 0;
    for (const Layer& layer : layers(weights)) {
        const Conv& conv = *layer.conv;
        count += element_count(conv.shape()) + static_cast<std::size_t>(conv.out * (conv.norm ? 4 : 1));
    }
    return count;
}

// What the files that Darknet's authors publish hold behind their headers of 20 bytes: yolov4.weights has 257,717,640 bytes,
// yolov4-tiny.weights 24,251,276.
TEST(Yolov4Weights, AsManyValuesAsThePublishedFiles) {
    EXPECT_EQ(values_of(empty_weights(preset("yolov4-320"))), 64429405U);
    EXPECT_EQ(values_of(empty_weights(preset("yolov4-tiny"))), 6062814U);
    Weights full = empty_weights(preset("yolov4-320"));
    EXPECT_EQ(layers(full).size(), 110U);
}

TEST(Yolov4Weights, NamesAreDistinct) {
    for (const char* name : {"yolov4-320", "yolov4-tiny"}) {
        Weights weights = empty_weights(preset(name));
        std::set<std::string> names;
        for (const Layer& layer : layers(weights)) {
            EXPECT_TRUE(names.insert(layer.name).second) << layer.name;
        }
    }
}

class Yolov4WeightsFile : public testing::Scratch {
protected:
    // A narrow tiny network: small files.
    static Config small() {
        Config config = preset("yolov4-tiny");
        config.base_channels = 16;
        return config;
    }

    static void expect_equal(Weights a, Weights b) {
        const std::vector<Layer> left = layers(a);
        const std::vector<Layer> right = layers(b);
        ASSERT_EQ(left.size(), right.size());
        for (std::size_t i = 0; i < left.size(); ++i) {
            EXPECT_EQ(left[i].conv->conv.weight.data, right[i].conv->conv.weight.data) << left[i].name;
            EXPECT_EQ(left[i].conv->conv.weight.shape, right[i].conv->shape()) << left[i].name;
            ASSERT_EQ(left[i].conv->norm.has_value(), right[i].conv->norm.has_value());
            if (left[i].conv->norm) {
                EXPECT_EQ(left[i].conv->norm->running_var.data, right[i].conv->norm->running_var.data);
                EXPECT_EQ(left[i].conv->norm->bias.data, right[i].conv->norm->bias.data);
            } else {
                EXPECT_EQ(left[i].conv->conv.bias->data, right[i].conv->conv.bias->data);
            }
        }
    }

    // As Darknet writes it.
    static std::string darknet(Weights weights) {
        std::string bytes = bytes_of(std::vector<std::int32_t>{0, 2, 5}) + bytes_of(std::int64_t{0});
        for (const Layer& layer : layers(weights)) {
            const Conv& conv = *layer.conv;
            if (conv.norm) {
                bytes += bytes_of(conv.norm->bias.data) + bytes_of(conv.norm->weight.data) +
                         bytes_of(conv.norm->running_mean.data) + bytes_of(conv.norm->running_var.data);
            } else {
                bytes += bytes_of(conv.conv.bias->data);
            }
            bytes += bytes_of(conv.conv.weight.data);
        }
        return bytes;
    }
};

TEST_F(Yolov4WeightsFile, SafetensorsAndDarknetHoldTheSame) {
    const Weights weights = random(small(), 3);
    save(path("a.safetensors"), weights);
    expect_equal(weights, load(path("a.safetensors"), small()));
    expect_equal(weights, load(write("a.weights", darknet(weights)), small()));
}

TEST_F(Yolov4WeightsFile, RefusesOtherFiles) {
    const Weights weights = random(small(), 3);
    const std::string bytes = darknet(weights);
    expect_error(
        [&] { (void)load(write("cut.weights", bytes.substr(0, bytes.size() - 4)), small()); },
        {"cut.weights ends within head.conv7"});
    expect_error([&] { (void)load(write("more.weights", bytes + "1234"), small()); }, {"4 bytes more", "21"});
    save(path("a.safetensors"), weights);
    Config other = small();
    other.num_classes = 20;
    expect_error(
        [&] { (void)load(path("a.safetensors"), other); }, {"head.conv4.conv.0.weight", "head.conv7.conv.0.bias"});
    expect_error([&] { (void)load(path("none.safetensors"), small()); }, {"none.safetensors"});
}

TEST(Yolov4Weights, RandomOnesDependOnSeedAndName) {
    const Config config = preset("yolov4-nano");
    const Weights a = random(config, 7);
    const Weights b = random(config, 7);
    const Weights c = random(config, 8);
    EXPECT_EQ(a.full->neck.conv4.conv.weight.data, b.full->neck.conv4.conv.weight.data);
    EXPECT_NE(a.full->neck.conv4.conv.weight.data, c.full->neck.conv4.conv.weight.data);
    EXPECT_NE(a.full->neck.conv8.conv.weight.data, a.full->neck.conv9.conv.weight.data);
}

TEST(Yolov4Weights, FoldingLeavesBiasesAndNoNorms) {
    Weights folded = fold(random(preset("yolov4-nano"), 7));
    for (const Layer& layer : layers(folded)) {
        EXPECT_FALSE(layer.conv->norm) << layer.name;
        ASSERT_TRUE(layer.conv->conv.bias) << layer.name;
        EXPECT_EQ(layer.conv->conv.bias->shape, (Shape{layer.conv->out})) << layer.name;
    }
}

}  // namespace
}  // namespace zoo::yolov4
