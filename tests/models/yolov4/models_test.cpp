// SPDX-License-Identifier: Apache-2.0
// Whole networks against the golden: the nano preset in both modes of numerics, YOLOv4 at 320x320 and 640x640.
#include <ttnn_cpu/device_options.hpp>

#include "models/yolov4/torch_yolov4.hpp"
#include "tests/models/yolov4/plan_case.hpp"

namespace zoo::yolov4 {
namespace {

void expect_model(
    const char* name, const Config& config, Plan plan, ttnn_cpu::Numerics numerics = ttnn_cpu::Numerics::Fast) {
    const auto device = open_device();
    ttnn_cpu::set_numerics(*device, numerics);
    const Weights weights = random(config, 51);
    const HostTensor picture = random_picture(config, 52);
    const Predictions expected = golden::yolov4(config, weights, picture);
    const Predictions actual = Modules(plan, config, weights, *device).yolov4(picture);
    Config swapped = config;  // the anchors of two heads
    std::swap(swapped.scales[0].mask, swapped.scales[1].mask);
    const HostTensor boxes = golden::yolov4(swapped, weights, picture).boxes;
    const HostTensor scores = golden::yolov4(config, weights, random_picture(config, 53)).scores;
    expect_close((std::string(name) + "_boxes").c_str(), plan, expected.boxes, actual.boxes, boxes);
    expect_close((std::string(name) + "_scores").c_str(), plan, expected.scores, actual.scores, scores);
}

class Yolov4Model : public ::testing::TestWithParam<Plan> {};

TEST_P(Yolov4Model, Nano) { expect_model("nano", preset("yolov4-nano"), GetParam()); }

TEST_P(Yolov4Model, NanoInTheArithmeticOfTheCard) {
    expect_model("nano_wormhole", preset("yolov4-nano"), GetParam(), ttnn_cpu::Numerics::Wormhole);
}

TEST_P(Yolov4Model, TinyInTheArithmeticOfTheCard) {
    expect_model("tiny_wormhole", with_size(preset("yolov4-tiny"), 64, 96), GetParam(), ttnn_cpu::Numerics::Wormhole);
}

TEST_P(Yolov4Model, NotSquare) { expect_model("nano", with_size(preset("yolov4-nano"), 96, 160), GetParam()); }

TEST_P(Yolov4Model, RealSize) { expect_model("yolov4", preset("yolov4-320"), GetParam()); }

TEST(Yolov4Large, TheLargestPictures) { expect_model("yolov4_640", preset("yolov4-640"), Plan::Optimized); }

INSTANTIATE_TEST_SUITE_P(Plans, Yolov4Model, ::testing::Values(Plan::Functional, Plan::Optimized), plan_name);

}  // namespace
}  // namespace zoo::yolov4
