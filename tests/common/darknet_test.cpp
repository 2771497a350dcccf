// SPDX-License-Identifier: Apache-2.0
#include "zoo/darknet.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

#include "scratch.hpp"

namespace zoo::testing {
namespace {

DarknetCfg parsed(std::string_view text) { return DarknetCfg::parse(text, "net.cfg"); }

TEST(DarknetCfgTest, SectionsWithTheirOptions) {
    const DarknetCfg cfg =
        parsed("# a comment\n[net]\r\nwidth=416\n saturation = 1.5\n\n[yolo]\nmask = 0,1, 2\n; more\nanchors=1.5, 2");
    ASSERT_EQ(cfg.sections().size(), 2U);
    const DarknetSection& net = cfg.sections()[0];
    EXPECT_EQ(net.name(), "net");
    EXPECT_EQ(net.line(), 2U);
    EXPECT_EQ(net.integer("width"), 416);
    EXPECT_EQ(net.number("saturation"), 1.5);
    EXPECT_EQ(net.integer("height", 7), 7);
    EXPECT_EQ(net.text("policy", "steps"), "steps");
    EXPECT_FALSE(net.contains("height"));
    EXPECT_EQ(cfg.sections()[1].integers("mask"), (std::vector<std::int64_t>{0, 1, 2}));
    EXPECT_EQ(cfg.sections()[1].numbers("anchors"), (std::vector<double>{1.5, 2.0}));
}

TEST(DarknetCfgTest, ErrorsNameTheLineAndTheSection) {
    const DarknetCfg cfg = parsed("[net]\nwidth=wide\n\n[yolo]\nmask=1,,2\nscale_x_y=1.0.5\nn=2x");
    const DarknetSection& yolo = cfg.sections()[1];
    expect_error(
        [&] { (void)cfg.sections()[0].integer("width"); }, {"net.cfg:2", "[net]", "width is 'wide'", "integer"});
    expect_error([&] { (void)cfg.sections()[0].integer("height"); }, {"net.cfg:1", "[net]", "has no height"});
    expect_error([&] { (void)yolo.integers("mask"); }, {"net.cfg:5", "[yolo]", "mask is '1,,2'"});
    expect_error([&] { (void)yolo.number("scale_x_y"); }, {"net.cfg:6", "[yolo]", "'1.0.5'", "a number"});
    expect_error([&] { (void)yolo.integer("n"); }, {"net.cfg:7", "n is '2x'"});
}

TEST(DarknetCfgTest, RefusesWhatIsNoCfg) {
    expect_error([] { (void)parsed(""); }, {"net.cfg", "no [section]"});
    expect_error([] { (void)parsed("# nothing\n"); }, {"net.cfg", "no [section]"});
    expect_error([] { (void)parsed("width=3\n[net]"); }, {"net.cfg:1", "before the first [section]"});
    expect_error([] { (void)parsed("[net\n"); }, {"net.cfg:1", "'[net' is no [section]"});
    expect_error([] { (void)parsed("[net]\nwidth 416\n"); }, {"net.cfg:2", "'width 416' is neither"});
    expect_error([] { (void)parsed("[net]\nn=1\nn=2\n"); }, {"net.cfg:3", "n twice", "line 2"});
    expect_error([] { (void)DarknetCfg::load("/nowhere/net.cfg"); }, {"/nowhere/net.cfg"});
}

class DarknetWeightsTest : public Scratch {
protected:
    // 2 kernels of 1x1 on one channel with batch norm, then one of 1x2 with a bias: 10 and 5 values.
    struct Targets {
        HostTensor weight, bias, scale, mean, variance, second_weight, second_bias;

        std::vector<DarknetConv> rows() {
            return {
                {"first", {2, 1, 1, 1}, &weight, &bias, &scale, &mean, &variance},
                {"second", {1, 2, 1, 2}, &second_weight, &second_bias}};
        }
    };

    static std::string header(std::int32_t minor = 2) {
        std::string bytes = bytes_of(std::vector<std::int32_t>{0, minor, 5});
        return bytes + (minor >= 2 ? bytes_of(std::int64_t{32}) : bytes_of(std::int32_t{32}));
    }

    static std::vector<float> counted(int count) {
        std::vector<float> values;
        for (int i = 0; i < count; ++i) {
            values.push_back(static_cast<float>(i));
        }
        return values;
    }

    Targets to_;
};

TEST_F(DarknetWeightsTest, BiasScaleMeanVarianceThenKernel) {
    for (const std::int32_t minor : {1, 2}) {  // with both sizes of header
        Targets to;
        load_darknet_weights(write("a.weights", header(minor) + bytes_of(counted(15))), to.rows());
        EXPECT_EQ(to.bias.data, (std::vector<float>{0, 1}));
        EXPECT_EQ(to.scale.data, (std::vector<float>{2, 3}));
        EXPECT_EQ(to.mean.data, (std::vector<float>{4, 5}));
        EXPECT_EQ(to.variance.data, (std::vector<float>{6, 7}));
        EXPECT_EQ(to.weight.data, (std::vector<float>{8, 9}));
        EXPECT_EQ(to.weight.shape, (Shape{2, 1, 1, 1}));
        EXPECT_EQ(to.second_bias.data, (std::vector<float>{10}));
        EXPECT_EQ(to.second_weight.data, (std::vector<float>{11, 12, 13, 14}));
    }
}

TEST_F(DarknetWeightsTest, TruncatedAndSurplusFiles) {
    const std::string whole = header() + bytes_of(counted(15));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto file = write("cut.weights", whole.substr(0, size));
        expect_error([&] { load_darknet_weights(file, to_.rows()); }, {"cut.weights"});
        EXPECT_TRUE(to_.bias.data.empty()) << "changed by a file that does not load";
    }
    expect_error(
        [&] { load_darknet_weights(write("cut.weights", whole.substr(0, 20 + 4 * 12)), to_.rows()); },
        {"ends within second", "12 values", "take 15"});
    expect_error(
        [&] { load_darknet_weights(write("more.weights", whole + bytes_of(1.0F)), to_.rows()); },
        {"4 bytes more", "2 convolutions"});
    expect_error([&] { load_darknet_weights(write("more.weights", whole + "x"), to_.rows()); }, {"1 bytes more"});
}

TEST_F(DarknetWeightsTest, WhatIsNoWeightsFile) {
    expect_error([&] { load_darknet_weights(path("none.weights"), to_.rows()); }, {"none.weights"});
    expect_error([&] { load_darknet_weights(directory_, to_.rows()); }, {"zoo::load_darknet_weights"});
    expect_error(
        [&] { load_darknet_weights(write("a.txt", std::string(200, 'x')), to_.rows()); },
        {"a.txt", "no Darknet weights file"});
    std::vector<float> values = counted(15);
    values[12] = std::numeric_limits<float>::quiet_NaN();
    expect_error(
        [&] { load_darknet_weights(write("nan.weights", header() + bytes_of(values)), to_.rows()); },
        {"nan in second", "finite"});
}

}  // namespace
}  // namespace zoo::testing
