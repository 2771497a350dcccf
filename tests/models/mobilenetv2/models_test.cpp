// SPDX-License-Identifier: Apache-2.0
// The whole network against the golden, in both numerics.
#include <gtest/gtest.h>

#include <algorithm>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "models/mobilenetv2/modules.hpp"
#include "models/mobilenetv2/runner.hpp"
#include "models/mobilenetv2/torch_mobilenetv2.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"
#include "support/throws.hpp"
#include "tests/models/mobilenetv2/plan_case.hpp"

namespace zoo::mobilenetv2 {
namespace {

using test::threshold;
using Case = PlanCase;

std::vector<std::int64_t> best(const HostTensor& logits) {
    std::vector<std::int64_t> classes;
    const std::int64_t width = logits.shape[1];
    for (auto row = logits.data.begin(); row != logits.data.end(); row += width) {
        classes.push_back(std::max_element(row, row + width) - row);
    }
    return classes;
}

class MobileNetV2Model : public ::testing::TestWithParam<Case> {
protected:
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, kL1SmallBytes);
    Config config_ = preset(GetParam().preset);
    Weights weights_ = random(config_, 51);
    HostTensor images_ = random_images(GetParam().batch, config_.size(), 52);
};

TEST_P(MobileNetV2Model, Logits) {
    const Modules modules(GetParam().plan, config_, weights_, GetParam().batch, *device_);
    const HostTensor expected = golden::mobilenetv2(config_, weights_, images_);
    const HostTensor actual = modules.mobilenetv2(images_);
    const test::Bound& bound = threshold("mobilenetv2", "mobilenetv2", to_string(GetParam().plan));
    EXPECT_WITHIN(expected, actual, bound);
    EXPECT_EQ(best(actual), best(expected));
    RecordProperty("measured", describe(compare(expected.data, actual.data)));

    Weights mistaken = weights_;
    mistaken.blocks[2] = random(config_, 53).blocks[2];
    EXPECT_OUTSIDE(expected, golden::mobilenetv2(config_, mistaken, images_), bound);
}

INSTANTIATE_TEST_SUITE_P(
    Plans, MobileNetV2Model,
    ::testing::Values(
        Case{Plan::Functional, "mobilenetv2-tiny", 2}, Case{Plan::Functional, "mobilenetv2", 1},
        Case{Plan::Optimized, "mobilenetv2-tiny", 1}, Case{Plan::Optimized, "mobilenetv2-tiny", 32},
        Case{Plan::Optimized, "mobilenetv2", 1}, Case{Plan::Optimized, "mobilenetv2", 10}),
    name_of);

// The card's own arithmetic, at a size that it is quick at.
TEST(MobileNetV2Numerics, Wormhole) {
    const auto device = ttnn::open_mesh_device(0, kL1SmallBytes);
    ttnn_cpu::set_numerics(*device, ttnn_cpu::Numerics::Wormhole);
    const Config config = preset("mobilenetv2-tiny");
    const Weights weights = random(config, 51);
    const HostTensor images = random_images(1, config.size(), 52);
    const HostTensor expected = golden::mobilenetv2(config, weights, images);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const Modules modules(plan, config, weights, 1, *device);
        const HostTensor actual = modules.mobilenetv2(images);
        EXPECT_WITHIN(expected, actual, threshold("mobilenetv2", "mobilenetv2_wormhole", to_string(plan)));
        RecordProperty(std::string(to_string(plan)), describe(compare(expected.data, actual.data)));
    }
}

// What benches compare with is the same network.
TEST(MobileNetV2Golden, TheFastestFormGivesTheSame) {
    const Config config = preset("mobilenetv2-tiny");
    const Weights weights = random(config, 51);
    const HostTensor images = random_images(2, config.size(), 52);
    EXPECT_WITHIN(
        golden::mobilenetv2(config, weights, images), golden::fastest(config, weights, images)(),
        (test::Bound{.pcc = 0.999999, .relative_error = 1e-4}));
}

TEST(MobileNetV2Images, AnotherShapeIsRefused) {
    const Config config = preset("mobilenetv2-tiny");
    EXPECT_THROWS_WITH(
        (void)golden::mobilenetv2(config, random(config, 1), zeros({1, 3, 32, 32})),
        "images are [1, 3, 32, 32]; they must be [batch, 3, 64, 64]");
}

}  // namespace
}  // namespace zoo::mobilenetv2
