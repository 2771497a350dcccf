// SPDX-License-Identifier: Apache-2.0
// Each module and the whole network against the golden, functional and optimized, in both numerics.
#include "models/mnist/modules.hpp"

#include <gtest/gtest.h>

#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "models/mnist/digits.hpp"
#include "models/mnist/runner.hpp"
#include "models/mnist/torch_mnist.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"

namespace zoo::mnist {
namespace {

struct Case {
    Plan plan;
    std::int64_t batch;
};

void PrintTo(const Case& value, std::ostream* out) { *out << to_string(value.plan) << " batch " << value.batch; }

class MnistModules : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, kL1SmallBytes); }
    static void TearDownTestSuite() { device_.reset(); }

    // Also what the golden makes of other weights must be outside of the bound: a bound that cannot tell is none.
    void expect_close(
        const char* module, const HostTensor& expected, const HostTensor& actual, const HostTensor& mistaken) const {
        const test::Bound& bound = test::threshold("mnist", module, to_string(GetParam().plan));
        EXPECT_WITHIN(expected, actual, bound);
        EXPECT_OUTSIDE(expected, mistaken, bound);
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    Config config_;
    Weights weights_ = random(config_, 81);
    Weights other_ = random(config_, 82);
    HostTensor images_ = random_images(GetParam().batch, config_.size(), 83);
    Modules modules_{GetParam().plan, config_, weights_, GetParam().batch, *device_};
};

TEST_P(MnistModules, Block) {
    std::int64_t side = config_.image_size;
    for (std::size_t block = 0; block < kConvolutions; ++block, side /= 2) {
        SCOPED_TRACE("block " + std::to_string(block));
        const HostTensor x =
            block == 0 ? images_ : test::uniform({GetParam().batch, config_.conv_channels[block - 1], side, side}, 84);
        ConvWeights no_bias = weights_.convolutions[block];
        no_bias.bias = zeros(no_bias.bias->shape);
        expect_close(
            "block", golden::block(config_, weights_.convolutions[block], x), modules_.block(block, x),
            golden::block(config_, no_bias, x));
    }
}

TEST_P(MnistModules, Features) {
    Weights mistaken = weights_;
    mistaken.convolutions[1] = other_.convolutions[1];
    expect_close(
        "features", golden::features(config_, weights_, images_), modules_.features(images_),
        golden::features(config_, mistaken, images_));
}

TEST_P(MnistModules, Classifier) {
    const std::int64_t side = config_.last_side();
    const HostTensor x = test::uniform({GetParam().batch, config_.conv_channels.back(), side, side}, 85, 0.0F, 2.0F);
    Weights mistaken = weights_;
    mistaken.fc1.bias = zeros(mistaken.fc1.bias.shape);
    expect_close(
        "classifier", golden::classifier(config_, weights_, x), modules_.classifier(x),
        golden::classifier(config_, mistaken, x));
}

TEST_P(MnistModules, Logits) {
    Weights mistaken = weights_;
    mistaken.fc2 = other_.fc2;
    expect_close(
        "mnist", golden::mnist(config_, weights_, images_), modules_.mnist(images_),
        golden::mnist(config_, mistaken, images_));
}

INSTANTIATE_TEST_SUITE_P(
    Plans, MnistModules,
    ::testing::Values(
        Case{Plan::Functional, 1}, Case{Plan::Functional, 5}, Case{Plan::Optimized, 1}, Case{Plan::Optimized, 5},
        Case{Plan::Optimized, 64}),
    [](const auto& row) { return std::string(to_string(row.param.plan)) + "Batch" + std::to_string(row.param.batch); });

// The card's own arithmetic.
TEST(MnistNumerics, Wormhole) {
    const auto device = ttnn::open_mesh_device(0, kL1SmallBytes);
    ttnn_cpu::set_numerics(*device, ttnn_cpu::Numerics::Wormhole);
    const Config config;
    const Weights weights = random(config, 81);
    const HostTensor images = random_images(2, config.size(), 83);
    const HostTensor expected = golden::mnist(config, weights, images);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const Modules modules(plan, config, weights, 2, *device);
        EXPECT_WITHIN(expected, modules.mnist(images), test::threshold("mnist", "mnist_wormhole", to_string(plan)));
    }
}

}  // namespace
}  // namespace zoo::mnist
