// SPDX-License-Identifier: Apache-2.0
#include "models/yolov4/config.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <sstream>
#include <string>

#include "models/yolov4/weights.hpp"
#include "support/throws.hpp"
#include "zoo/darknet.hpp"

namespace zoo::yolov4 {
namespace {

TEST(Yolov4Config, PresetsAreValid) {
    for (const std::string_view name : preset_names()) {
        EXPECT_NO_THROW(validate(preset(name))) << name;
    }
    EXPECT_EQ(preset("yolov4-320").boxes(), 6300);
    EXPECT_EQ(preset("yolov4-640").boxes(), 25200);
    EXPECT_EQ(preset("yolov4-tiny").boxes(), 2535);
    EXPECT_EQ(preset("yolov4-tiny").head_channels(), 255);
    EXPECT_THROWS_WITH((void)preset("yolov5"), "yolov4-320, yolov4-640, yolov4-tiny, yolov4-nano");
}

TEST(Yolov4Config, RefusesWhatItCannotRun) {
    const auto refused = [](const std::function<void(Config&)>& change, const char* text) {
        Config config = preset("yolov4-320");
        change(config);
        EXPECT_THROWS_WITH(validate(config), text);
    };
    refused([](Config& c) { c.height = 300; }, "height is 300; it must be a multiple of 32");
    refused([](Config& c) { c.width = 0; }, "width is 0; it must be positive");
    refused([](Config& c) { c.num_classes = -1; }, "num_classes is -1");
    refused([](Config& c) { c.base_channels = 24; }, "base_channels is 24; it must be a multiple of 16");
    refused([](Config& c) { c.resblocks = {1, 2}; }, "resblocks has 2 values; yolov4 takes 4");
    refused([](Config& c) { c.resblocks[2] = 0; }, "resblocks is 0");
    refused([](Config& c) { c.scales.pop_back(); }, "there are 2 scales; yolov4 has 3 heads");
    refused([](Config& c) { c.scales[1].stride = 8; }, "stride of scale 1 is 8; it must be 16");
    refused([](Config& c) { c.scales[0].mask[2] = 9; }, "asks for anchor 9 of 9");
    refused([](Config& c) { c.scales[0].scale_x_y = 0.5; }, "scale_x_y of scale 0 is 0.5");
    refused([](Config& c) { c.anchors[3][1] = 0; }, "anchors must be positive");
    EXPECT_THROWS_WITH((void)with_size(preset("yolov4-320"), 320, 333), "width is 333");
}

// A cfg with the sections that the reader looks at.
std::string cfg_of(const Config& config) {
    Weights weights = empty_weights(config);
    std::ostringstream text;
    text << "[net]\nwidth=" << config.width << "\nheight=" << config.height << "\nchannels=3\n";
    std::size_t head = 0;
    for (const Layer& layer : layers(weights)) {
        const Conv& conv = *layer.conv;
        text << "[convolutional]\nfilters=" << conv.out << "\nsize=" << conv.kernel << "\nstride=" << conv.stride
             << "\npad=1\nactivation=" << to_string(conv.activation) << "\n";
        if (conv.norm) {
            text << "batch_normalize=1\n";
        }
        if (layer.name.ends_with(".1") || layer.name == "down1.conv6") {
            text << "[shortcut]\nfrom=-3\nactivation=linear\n";
        }
        if (conv.activation == Activation::Linear) {
            const Scale& scale = config.scales[head++];
            text << "[yolo]\nmask=" << scale.mask[0] << "," << scale.mask[1] << "," << scale.mask[2]
                 << "\nscale_x_y = " << scale.scale_x_y << "\nclasses=" << config.num_classes << "\nanchors = ";
            for (std::size_t i = 0; i < config.anchors.size(); ++i) {
                text << (i == 0 ? "" : ", ") << config.anchors[i][0] << "," << config.anchors[i][1];
            }
            text << "\n";
        }
    }
    return text.str();
}

TEST(Yolov4Config, ReadsTheCfgOfBothArchitectures) {
    for (const char* name : {"yolov4-320", "yolov4-tiny", "yolov4-nano"}) {
        EXPECT_EQ(from_cfg(DarknetCfg::parse(cfg_of(preset(name)), "net.cfg")), preset(name)) << name;
    }
}

TEST(Yolov4Config, CfgErrorsNameTheSection) {
    const std::string good = cfg_of(preset("yolov4-tiny"));
    const auto refused = [&](const std::string& what, const std::string& with, const char* text) {
        std::string cfg = good;
        const auto at = cfg.find(what);
        ASSERT_NE(at, std::string::npos);
        cfg.replace(at, what.size(), with);
        EXPECT_THROWS_WITH((void)from_cfg(DarknetCfg::parse(cfg, "net.cfg")), text);
    };
    refused("filters=64", "filters=65", "net.cfg:12: [convolutional] filters is 65; conv2 has 64");
    refused("activation=leaky", "activation=mish", "net.cfg:5: [convolutional] activation is mish; conv1 has leaky");
    refused("stride=2", "stride=1", "stride is 1; conv1 has 2");
    refused("batch_normalize=1", "", "batch_normalize is not given; conv1 has 1");
    refused("mask=3,4,5", "mask=3,4", "mask has 2 anchors");
    refused("mask=3,4,5", "mask=3,4,6", "asks for anchor 6 of 6");
    refused("classes=80", "classes=20", "[yolo] anchors and classes differ");
    refused("[net]", "[nets]", "it must be [net]");
    refused("width=416", "width=400", "width is 400");
    refused("channels=3", "channels=1", "channels is 1");
    EXPECT_THROWS_WITH(
        (void)from_cfg(DarknetCfg::parse(good + "[convolutional]\nfilters=3\nactivation=linear\n", "net.cfg")),
        "is more than yolov4-tiny has: 21 convolutions");
    const std::string cut = good.substr(0, good.rfind("[convolutional]")) + good.substr(good.rfind("[yolo]"));
    EXPECT_THROWS_WITH((void)from_cfg(DarknetCfg::parse(cut, "net.cfg")), "20 convolutions; yolov4-tiny has 21");
}

}  // namespace
}  // namespace zoo::yolov4
