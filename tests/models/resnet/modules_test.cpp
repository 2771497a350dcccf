// SPDX-License-Identifier: Apache-2.0
// Each module against its golden, functional and optimized, at the sizes of real models.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <string>
#include <ttnn/device.hpp>
#include <ttnn_cpu/device_options.hpp>

#include "models/resnet/images.hpp"
#include "models/resnet/modules.hpp"
#include "models/resnet/runner.hpp"
#include "models/resnet/torch_resnet.hpp"
#include "support/arrays.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"

namespace zoo::resnet {
namespace {

using test::threshold;

struct Case {
    Plan plan;
    const char* preset;
    std::int64_t batch;
};

void PrintTo(const Case& value, std::ostream* out) {
    *out << to_string(value.plan) << " " << value.preset << " batch " << value.batch;
}

std::string name_of(const ::testing::TestParamInfo<Case>& row) {
    std::string name = row.param.preset;
    std::erase_if(name, [](char letter) { return letter == '-'; });
    return std::string(to_string(row.param.plan)) + "_" + name + "Batch" + std::to_string(row.param.batch);
}

// Drawn once a preset: the large ones take a while.
struct Network {
    explicit Network(const char* name) : config(preset(name)), weights(random(config, 41)), other(random(config, 42)) {}

    static const Network& of(const char* name) {
        static std::map<std::string, Network> networks;
        return networks.try_emplace(name, name).first->second;
    }

    Config config;
    Weights weights;
    Weights other;
};

class ResnetModules : public ::testing::TestWithParam<Case> {
protected:
    static void SetUpTestSuite() { device_ = ttnn::open_mesh_device(0, kL1SmallSize); }
    static void TearDownTestSuite() { device_.reset(); }
    // Index tables live as long as their programs.
    void TearDown() override { device_->clear_program_cache(); }

    // Also what the golden makes of other weights must be outside of the bound: a bound that cannot tell is none.
    void expect_close(
        const char* module, const HostTensor& expected, const HostTensor& actual, const HostTensor& mistaken) const {
        const test::Bound& bound = threshold("resnet", module, to_string(GetParam().plan));
        EXPECT_WITHIN(expected, actual, bound);
        EXPECT_OUTSIDE(expected, mistaken, bound);
        const Comparison found = compare(expected.data, actual.data);
        RecordProperty(std::string(module) + "_pcc", std::to_string(found.pcc));
        RecordProperty(std::string(module) + "_relative_error", std::to_string(found.relative_error));
    }

    // What enters a stage: results of a ReLU, most of them small.
    [[nodiscard]] HostTensor entering(std::size_t stage, std::uint64_t seed) const {
        const std::int64_t channels = stage == 0 ? config_.embedding_size : config_.hidden_sizes[stage - 1];
        const std::int64_t side = stage == 0 ? config_.stem_side() : config_.stage_side(stage - 1);
        HostTensor x = test::normal({GetParam().batch, channels, side, side}, seed);
        for (float& value : x.data) {
            value = std::max(value, 0.0F);
        }
        return x;
    }

    static inline std::shared_ptr<ttnn::MeshDevice> device_;
    const Config& config_ = Network::of(GetParam().preset).config;
    const Weights& weights_ = Network::of(GetParam().preset).weights;
    const Weights& other_ = Network::of(GetParam().preset).other;
    Modules model_{GetParam().plan, config_, weights_, GetParam().batch, *device_};
};

TEST_P(ResnetModules, Stem) {
    const HostTensor images = random_images(config_, GetParam().batch, 43);
    expect_close(
        "stem", golden::stem(config_, weights_.stem, images), model_.stem(images),
        golden::stem(config_, other_.stem, images));
}

TEST_P(ResnetModules, FirstBlockOfAStage) {
    const HostTensor x = entering(1, 44);
    const auto block = config_.bottleneck() ? golden::bottleneck : golden::basic_block;
    expect_close(
        config_.bottleneck() ? "bottleneck" : "basic_block", block(config_, weights_.layers[1][0], 2, x),
        model_.block(1, 0, x), block(config_, other_.layers[1][0], 2, x));
}

TEST_P(ResnetModules, Layers) {
    for (std::size_t stage = 0; stage < kStages; ++stage) {
        const std::string module = "layer" + std::to_string(stage + 1);
        SCOPED_TRACE(module);
        const HostTensor x = entering(stage, 45 + stage);
        expect_close(
            module.c_str(), golden::layer(config_, weights_.layers[stage], stage, x), model_.layer(stage, x),
            golden::layer(config_, other_.layers[stage], stage, x));
    }
}

TEST_P(ResnetModules, Head) {
    const std::int64_t side = config_.stage_side(kStages - 1);
    HostTensor x = test::uniform({GetParam().batch, config_.hidden_sizes.back(), side, side}, 49, 0.0F, 2.0F);
    // Channels of an image differ, as they do behind ReLU.
    const auto area = static_cast<std::size_t>(side * side);
    for (std::size_t i = 0; i < x.data.size(); ++i) {
        x.data[i] *= static_cast<float>(i / area % 7);
    }
    expect_close("head", golden::head(config_, weights_.fc, x), model_.head(x), golden::head(config_, other_.fc, x));
}

TEST_P(ResnetModules, Whole) {
    const HostTensor images = random_images(config_, GetParam().batch, 50);
    const HostTensor expected = golden::resnet(config_, weights_, images);
    const HostTensor actual = model_.resnet(images);
    expect_close("resnet", expected, actual, golden::resnet(config_, other_, images));
    const auto labels = static_cast<std::ptrdiff_t>(config_.num_labels);
    for (std::ptrdiff_t image = 0; image < GetParam().batch; ++image) {
        const auto best = [&](const HostTensor& logits) {
            const auto first = logits.data.begin() + image * labels;
            return std::max_element(first, first + labels) - first;
        };
        EXPECT_EQ(best(actual), best(expected)) << "image " << image;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Sizes, ResnetModules,
    ::testing::Values(
        Case{Plan::Functional, "resnet-tiny", 2}, Case{Plan::Optimized, "resnet-tiny", 2},
        Case{Plan::Functional, "resnet18-cifar", 2}, Case{Plan::Optimized, "resnet18-cifar", 2},
        Case{Plan::Functional, "resnet18", 1}, Case{Plan::Optimized, "resnet18", 1},
        Case{Plan::Functional, "resnet50", 1}, Case{Plan::Optimized, "resnet50", 1},
        Case{Plan::Optimized, "resnet50-v1", 1}),
    name_of);

// The card's own arithmetic, bit for bit, at a size that it can do in a moment.
TEST(ResnetExact, BothVersionsInTheCardsArithmetic) {
    const Network& tiny = Network::of("resnet-tiny");
    const auto device = ttnn::open_mesh_device(0, kL1SmallSize);
    ttnn_cpu::set_numerics(*device, ttnn_cpu::Numerics::Wormhole);
    const HostTensor images = random_images(tiny.config, 1, 51);
    const HostTensor expected = golden::resnet(tiny.config, tiny.weights, images);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        const Modules model(plan, tiny.config, tiny.weights, 1, *device);
        const HostTensor actual = model.resnet(images);
        EXPECT_WITHIN(expected, actual, threshold("resnet", "resnet in wormhole", to_string(plan)));
    }
}

}  // namespace
}  // namespace zoo::resnet
