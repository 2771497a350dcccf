// SPDX-License-Identifier: Apache-2.0
// Each module of YOLOv4 against its golden at the sizes of a picture of 320x320, functional and optimized.
#include <algorithm>
#include <utility>

#include "models/yolov4/torch_yolov4.hpp"
#include "tests/models/yolov4/plan_case.hpp"

namespace zoo::yolov4 {
namespace {

// Two residual blocks where there are eight: what follows a block does not depend on how many went before.
Config short_config() {
    Config config = preset("yolov4-320");
    config.resblocks = {2, 2, 2, 2};
    return config;
}

class Yolov4Modules : public ::testing::TestWithParam<Plan> {
protected:
    static void SetUpTestSuite() {
        device_ = open_device();
        config_ = short_config();
        weights_ = random(config_, 31);
    }
    static void TearDownTestSuite() {
        device_.reset();
        weights_ = {};
    }

    static const FullWeights& full() { return weights_.full.value(); }

    // What a module meets behind Mish or leaky ReLU: no negative values below a third.
    static HostTensor map(std::int64_t stride, std::int64_t channels, std::uint64_t seed) {
        HostTensor x = test::normal({1, channels, config_.height / stride, config_.width / stride}, seed, 0.3F, 0.8F);
        for (float& value : x.data) {
            value = value < 0.0F ? 0.1F * value : value;
        }
        return x;
    }

    template <class Golden, class Module>
    void downsample(
        const char* name, const DownsampleWeights& weights, std::int64_t stride, Golden golden, Module module) {
        const HostTensor x = map(stride, weights.conv1.in, 32);
        const HostTensor expected = golden(weights, x);
        DownsampleWeights swapped = weights;
        std::swap(swapped.conv2, swapped.conv3);  // the two halves
        expect_close(name, GetParam(), expected, module(x), golden(swapped, x));
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    static inline Config config_;
    static inline Weights weights_;
    Modules modules_{GetParam(), config_, weights_, *device_};
};

TEST_P(Yolov4Modules, Resblock) {
    const HostTensor x = map(8, 128, 33);
    ResblockWeights mistaken = full().down3.resblock;
    std::swap(mistaken.blocks[0][1], mistaken.blocks[1][1]);
    expect_close(
        "resblock", GetParam(), golden::resblock(full().down3.resblock, x),
        modules_.resblock(modules_.parameters().full->down3.resblock, x), golden::resblock(mistaken, x));
}

TEST_P(Yolov4Modules, DS1) {
    const HostTensor picture = random_picture(config_, 34);
    Downsample1Weights mistaken = full().down1;
    std::swap(mistaken.conv3, mistaken.conv4);
    expect_close(
        "ds1", GetParam(), golden::ds1(full().down1, picture), modules_.ds1(picture), golden::ds1(mistaken, picture));
}

TEST_P(Yolov4Modules, DS2) {
    downsample("ds2", full().down2, 2, golden::ds2, [&](const HostTensor& x) { return modules_.ds2(x); });
}

TEST_P(Yolov4Modules, DS3) {
    downsample("ds3", full().down3, 4, golden::ds3, [&](const HostTensor& x) { return modules_.ds3(x); });
}

TEST_P(Yolov4Modules, DS4) {
    downsample("ds4", full().down4, 8, golden::ds4, [&](const HostTensor& x) { return modules_.ds4(x); });
}

TEST_P(Yolov4Modules, DS5) {
    downsample("ds5", full().down5, 16, golden::ds5, [&](const HostTensor& x) { return modules_.ds5(x); });
}

TEST_P(Yolov4Modules, Neck) {
    const HostTensor down5 = map(32, 1024, 35);
    const HostTensor down4 = map(16, 512, 36);
    const HostTensor down3 = map(8, 256, 37);
    const auto expected = golden::neck(full().neck, down5, down4, down3);
    const auto actual = modules_.neck(down5, down4, down3);
    NeckWeights mistaken = full().neck;
    std::rotate(  // the pools in another order
        mistaken.conv4.conv.weight.data.begin(), mistaken.conv4.conv.weight.data.begin() + 512,
        mistaken.conv4.conv.weight.data.end());
    const auto other = golden::neck(mistaken, down5, down4, down3);
    for (std::size_t i = 0; i < 3; ++i) {
        expect_close("neck", GetParam(), expected[i], actual[i], other[i]);
    }
}

TEST_P(Yolov4Modules, Head) {
    const std::array<HostTensor, 3> maps{map(8, 128, 38), map(16, 256, 39), map(32, 512, 40)};
    const auto expected = golden::head(full().head, maps);
    const auto actual = modules_.head(maps);
    HeadWeights mistaken = full().head;
    for (Conv* conv : {&mistaken.conv2, &mistaken.conv10, &mistaken.conv18}) {
        // The channels of one anchor further.
        std::rotate(
            conv->conv.weight.data.begin(), conv->conv.weight.data.begin() + 85 * conv->in,
            conv->conv.weight.data.end());
    }
    const auto other = golden::head(mistaken, maps);
    for (std::size_t i = 0; i < 3; ++i) {
        expect_close("head", GetParam(), expected[i], actual[i], other[i]);
    }
}

INSTANTIATE_TEST_SUITE_P(Plans, Yolov4Modules, ::testing::Values(Plan::Functional, Plan::Optimized), plan_name);

}  // namespace
}  // namespace zoo::yolov4
