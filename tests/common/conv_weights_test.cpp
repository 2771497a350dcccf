// SPDX-License-Identifier: Apache-2.0
#include "zoo/conv_weights.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "support/throws.hpp"

namespace {

using namespace zoo;

HostTensor filled(const Shape& shape, std::vector<float> values) { return {shape, std::move(values)}; }

BatchNormWeights two_channels() {
    return {
        .weight = filled({2}, {2.0F, 3.0F}),
        .bias = filled({2}, {10.0F, 20.0F}),
        .running_mean = filled({2}, {1.0F, -1.0F}),
        .running_var = filled({2}, {3.0F, 15.0F})};
}

TEST(FoldBatchNorm, ScalesEachOutputChannelAndMovesTheMeanIntoTheBias) {
    // With an epsilon of 1 the scales are 2 / 2 and 3 / 4.
    const ConvWeights conv{.weight = filled({2, 1, 1, 2}, {1.0F, 2.0F, 4.0F, 8.0F}), .bias = std::nullopt};
    const ConvWeights folded = fold_batch_norm(conv, two_channels(), 1.0F);
    EXPECT_EQ(folded.weight.shape, conv.weight.shape);
    EXPECT_EQ(folded.weight.data, (std::vector{1.0F, 2.0F, 3.0F, 6.0F}));
    ASSERT_TRUE(folded.bias);
    EXPECT_EQ(folded.bias->data, (std::vector{9.0F, 20.75F}));
}

TEST(FoldBatchNorm, KeepsTheConvolutionsOwnBias) {
    const ConvWeights conv{.weight = zeros({2, 1, 1, 1}), .bias = filled({2}, {5.0F, 7.0F})};
    EXPECT_EQ(fold_batch_norm(conv, two_channels(), 1.0F).bias->data, (std::vector{14.0F, 26.0F}));
}

TEST(FoldBatchNorm, RefusesWhatDoesNotFit) {
    const ConvWeights conv{.weight = zeros({3, 1, 1, 1}), .bias = std::nullopt};
    EXPECT_THROWS_WITH(
        (void)fold_batch_norm(conv, two_channels()), "the norm's weight is [2]; a convolution to 3 channels");
    const ConvWeights flat{.weight = zeros({2, 9}), .bias = std::nullopt};
    EXPECT_THROWS_WITH((void)fold_batch_norm(flat, two_channels()), "weight is [2, 9]; it must be [out, in / groups");
    BatchNormWeights negative = two_channels();
    negative.running_var.data[1] = -1.0F;
    const ConvWeights two{.weight = zeros({2, 1, 1, 1}), .bias = std::nullopt};
    EXPECT_THROWS_WITH((void)fold_batch_norm(two, negative), "running_var[1] is -1; it must not be negative");
}

TEST(PadInputChannels, PutsZerosBehind) {
    const HostTensor padded = pad_input_channels(filled({2, 1, 1, 2}, {1.0F, 2.0F, 3.0F, 4.0F}), 2);
    EXPECT_EQ(padded.shape, (Shape{2, 2, 1, 2}));
    EXPECT_EQ(padded.data, (std::vector{1.0F, 2.0F, 0.0F, 0.0F, 3.0F, 4.0F, 0.0F, 0.0F}));
    EXPECT_THROWS_WITH((void)pad_input_channels(zeros({1, 4, 1, 1}), 3), "[1, 4, 1, 1]; that is more than 3 channels");
}

TEST(ConvRows, NameWeightsAndStatistics) {
    ConvWeights plain;
    ConvWeights biased{.weight = {}, .bias = HostTensor{}};
    BatchNormWeights norm;
    std::vector<WeightRow> rows;
    add_rows(rows, "conv1", plain, {8, 3, 7, 7});
    add_rows(rows, "conv2", biased, {4, 8, 1, 1});
    add_rows(rows, "bn1", norm, 8);
    std::vector<std::string> names;
    for (const WeightRow& row : rows) {
        names.push_back(row.name + " " + to_string(row.shape));
    }
    EXPECT_EQ(
        names, (std::vector<std::string>{
                   "conv1.weight [8, 3, 7, 7]", "conv2.weight [4, 8, 1, 1]", "conv2.bias [4]", "bn1.weight [8]",
                   "bn1.bias [8]", "bn1.running_mean [8]", "bn1.running_var [8]"}));
    EXPECT_EQ(rows[2].target, &*biased.bias);
    EXPECT_EQ(rows[6].target, &norm.running_var);
}

TEST(RandomConv, HasHesDeviationAndDependsOnTheName) {
    const Random random(7);
    const ConvWeights conv = random_conv(random, "a", {64, 32, 3, 3}, true);
    const double squares =
        std::inner_product(conv.weight.data.begin(), conv.weight.data.end(), conv.weight.data.begin(), 0.0);
    EXPECT_NEAR(std::sqrt(squares / static_cast<double>(conv.weight.size())), std::sqrt(2.0 / 288), 0.002);
    EXPECT_EQ(conv.bias->shape, (Shape{64}));
    EXPECT_EQ(random_conv(random, "a", {64, 32, 3, 3}).weight.data, conv.weight.data);
    EXPECT_NE(random_conv(random, "b", {64, 32, 3, 3}).weight.data, conv.weight.data);
    const BatchNormWeights norm = random_batch_norm(random, "n", 64, 2.0F);
    for (std::size_t i = 0; i < 64; ++i) {
        EXPECT_GT(norm.running_var.data[i], 0.5F);
        EXPECT_GE(norm.weight.data[i], 0.8F);
    }
}

}  // namespace
