// SPDX-License-Identifier: Apache-2.0
// Each module against its golden, functional and optimized, at real sizes.
#include "models/mobilenetv2/modules.hpp"

#include <gtest/gtest.h>

#include <ttnn/device.hpp>

#include "models/mobilenetv2/runner.hpp"
#include "models/mobilenetv2/torch_mobilenetv2.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "tests/models/mobilenetv2/plan_case.hpp"

namespace zoo::mobilenetv2 {
namespace {

using test::threshold;
using Case = PlanCase;

class MobileNetV2Modules : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, kL1SmallBytes); }
    static void TearDownTestSuite() { device_.reset(); }

    // Also what the golden makes of other weights must be outside of the bound: a bound that cannot tell is none.
    void expect_close(
        const char* module, const HostTensor& expected, const HostTensor& actual, const HostTensor& mistaken) const {
        const test::Bound& bound = threshold("mobilenetv2", module, to_string(GetParam().plan));
        EXPECT_WITHIN(expected, actual, bound);
        EXPECT_OUTSIDE(expected, mistaken, bound);
        const Comparison found = compare(expected.data, actual.data);
        RecordProperty("pcc", std::to_string(found.pcc));
        RecordProperty("relative_error", std::to_string(found.relative_error));
    }

    // What comes into a block: the sum of a few projections, so about normal.
    [[nodiscard]] HostTensor block_input(std::size_t block) const {
        const BlockShape shape = config_.blocks().at(block);
        return test::normal({GetParam().batch, shape.in, shape.side, shape.side}, 40 + block);
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    Config config_ = preset(GetParam().preset);
    Weights weights_ = random(config_, 41);
    Weights other_ = random(config_, 42);
    Modules modules_{GetParam().plan, config_, weights_, GetParam().batch, *device_};
};

TEST_P(MobileNetV2Modules, Stem) {
    const HostTensor images = random_images(GetParam().batch, config_.size(), 43);
    expect_close(
        "stem", golden::stem(config_, weights_.stem, images), modules_.stem(images),
        golden::stem(config_, other_.stem, images));
}

// The first, which expands nothing; one that halves the image; one with a residual; one with many channels.
TEST_P(MobileNetV2Modules, InvertedResidual) {
    const std::vector<BlockShape> shapes = config_.blocks();
    for (const std::size_t block : {std::size_t{0}, std::size_t{1}, std::size_t{2}, shapes.size() - 1}) {
        SCOPED_TRACE("block " + std::to_string(block));
        const HostTensor x = block_input(block);
        BlockWeights mistaken = weights_.blocks[block];
        mistaken.depthwise.norm = other_.blocks[block].depthwise.norm;
        expect_close(
            "inverted_residual", golden::inverted_residual(config_, weights_.blocks[block], shapes[block], x),
            modules_.inverted_residual(block, x), golden::inverted_residual(config_, mistaken, shapes[block], x));
    }
}

// At 224x224 these are all layers but one, so the bound is that of a whole model.
TEST_P(MobileNetV2Modules, Features) {
    const HostTensor images = random_images(GetParam().batch, config_.size(), 44);
    Weights mistaken = weights_;
    mistaken.last.norm = other_.last.norm;
    expect_close(
        config_.image_size > 64 ? "features_224" : "features", golden::features(config_, weights_, images),
        modules_.features(images), golden::features(config_, mistaken, images));
}

TEST_P(MobileNetV2Modules, Classifier) {
    const std::int64_t side = config_.last_side();
    const HostTensor x = test::uniform({GetParam().batch, config_.last_width(), side, side}, 45, 0.0F, 6.0F);
    LinearWeights mistaken = weights_.classifier;
    mistaken.bias = zeros(mistaken.bias.shape);
    expect_close(
        "classifier", golden::classifier(config_, weights_.classifier, x), modules_.classifier(x),
        golden::classifier(config_, mistaken, x));
}

INSTANTIATE_TEST_SUITE_P(
    Functional, MobileNetV2Modules,
    ::testing::Values(Case{Plan::Functional, "mobilenetv2", 1}, Case{Plan::Functional, "mobilenetv2-tiny", 3}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Optimized, MobileNetV2Modules,
    ::testing::Values(
        Case{Plan::Optimized, "mobilenetv2", 1}, Case{Plan::Optimized, "mobilenetv2", 10},
        Case{Plan::Optimized, "mobilenetv2-tiny", 1}, Case{Plan::Optimized, "mobilenetv2-tiny", 32}),
    name_of);

}  // namespace
}  // namespace zoo::mobilenetv2
