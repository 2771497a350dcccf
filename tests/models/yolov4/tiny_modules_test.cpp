// SPDX-License-Identifier: Apache-2.0
// The modules of yolov4-tiny against their goldens at 416x416, functional and optimized.
#include "models/yolov4/torch_yolov4.hpp"
#include "models/yolov4/torch_yolov4_tiny.hpp"
#include "tests/models/yolov4/plan_case.hpp"

namespace zoo::yolov4 {
namespace {

class Yolov4TinyModules : public ::testing::TestWithParam<Plan> {
protected:
    std::shared_ptr<ttnn::MeshDevice> device_ = open_device();
    Config config_ = preset("yolov4-tiny");
    Weights weights_ = random(config_, 41);
    Modules modules_{GetParam(), config_, weights_, *device_};
};

TEST_P(Yolov4TinyModules, Block) {
    const TinyWeights& tiny = weights_.tiny.value();
    const TinyParameters& parameters = modules_.parameters().tiny.value();
    const auto check = [&](const TinyBlockWeights& weights, const TinyBlockParameters& block, std::int64_t stride) {
        const HostTensor x =
            test::normal({1, weights.conv1.in, config_.height / stride, config_.width / stride}, 42, 0.3F, 0.8F);
        const golden::TinyMaps expected = golden::tiny_block(weights, x);
        const auto actual = modules_.tiny_block(block, x);
        TinyBlockWeights mistaken = weights;
        std::swap(mistaken.conv2, mistaken.conv3);
        const golden::TinyMaps other = golden::tiny_block(mistaken, x);
        expect_close("tiny_block", GetParam(), expected.inner, actual[0], other.inner);
        expect_close("tiny_block", GetParam(), expected.pooled, actual[1], other.pooled);
    };
    check(tiny.block1, parameters.block1, 4);
    check(tiny.block3, parameters.block3, 16);
}

TEST_P(Yolov4TinyModules, Head) {
    const TinyHeadWeights& head = weights_.tiny->head;
    const HostTensor pooled = test::normal({1, 512, 13, 13}, 43, 0.3F, 0.8F);
    const HostTensor inner = test::normal({1, 256, 26, 26}, 44, 0.3F, 0.8F);
    const auto expected = golden::tiny_head(head, pooled, inner);
    const auto actual = modules_.tiny_head(pooled, inner);
    TinyHeadWeights mistaken = head;
    mistaken.conv4.conv.bias = zeros({255});
    mistaken.conv6 = random(config_, 45).tiny->head.conv6;
    const auto other = golden::tiny_head(mistaken, pooled, inner);
    expect_close("tiny_head", GetParam(), expected[0], actual[0], other[0]);
    expect_close("tiny_head", GetParam(), expected[1], actual[1], other[1]);
}

TEST_P(Yolov4TinyModules, Yolov4Tiny) {
    const HostTensor picture = random_picture(config_, 46);
    const Predictions expected = golden::yolov4(config_, weights_, picture);
    const Predictions actual = modules_.yolov4(picture);
    Config mistaken = config_;
    std::swap(mistaken.scales[0].mask, mistaken.scales[1].mask);
    expect_close(
        "tiny_boxes", GetParam(), expected.boxes, actual.boxes, golden::yolov4(mistaken, weights_, picture).boxes);
    expect_close(
        "tiny_scores", GetParam(), expected.scores, actual.scores,
        golden::yolov4(config_, random(config_, 47), picture).scores);
}

INSTANTIATE_TEST_SUITE_P(Plans, Yolov4TinyModules, ::testing::Values(Plan::Functional, Plan::Optimized), plan_name);

}  // namespace
}  // namespace zoo::yolov4
