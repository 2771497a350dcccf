// SPDX-License-Identifier: Apache-2.0
#include "models/resnet/runner.hpp"

#include "models/resnet/images.hpp"
#include "tests/models/image_runner_checks.hpp"

namespace zoo::test {
namespace {

struct TinyCase {
    using Runner = resnet::Runner;
    static constexpr std::size_t kL1Small = resnet::kL1SmallSize;

    resnet::Config config = resnet::preset("resnet-tiny");
    resnet::Weights weights = resnet::random(config, 71);

    [[nodiscard]] HostTensor images(std::int64_t count, std::uint64_t seed) const {
        return resnet::random_images(config, count, seed);
    }
};

// Basic blocks, small pictures, no max-pool.
struct CifarCase : TinyCase {
    CifarCase() {
        config = resnet::preset("resnet18-cifar");
        weights = resnet::random(config, 71);
    }
};

using Cases = ::testing::Types<TinyCase, CifarCase>;
INSTANTIATE_TYPED_TEST_SUITE_P(Resnet, ImageRunners, Cases);

// The card's own arithmetic in a trace.
TEST(ResnetRunnerExact, EveryModeGivesThePlainBits) {
    const TinyCase tiny;
    const auto device = ttnn::open_mesh_device(0, TinyCase::kL1Small, 64 << 20, 2);
    ttnn_cpu::set_numerics(*device, ttnn_cpu::Numerics::Wormhole);
    const HostTensor image = tiny.images(1, 72);
    const auto answer = [&](Mode mode) {
        return resnet::Runner(*device, tiny.config, tiny.weights, {.batch = 1, .mode = mode}).run(image);
    };
    const HostTensor plain = answer(Mode::Plain);
    for (const Mode mode : {Mode::Traced, Mode::TwoQueues, Mode::TracedTwoQueues}) {
        EXPECT_TRUE(plain.data == answer(mode).data) << to_string(mode);
    }
}

// What an n150 does not hold is named, with what is there and what it takes.
TEST(ResnetRunnerSizes, SaysWhatDoesNotFit) {
    const auto device = ttnn::open_mesh_device(0, TinyCase::kL1Small);
    const TinyCase tiny;
    const auto run = [&] { resnet::Runner(*device, tiny.config, tiny.weights, {.batch = 2048}); };
    // Between the two, tt-metal says where it checks.
    EXPECT_THROWS_WITH(run(), "7x7 from 4 to 32 channels on 2048 maps of 64 x 64: ");
    EXPECT_THROWS_WITH(run(), "Out of Memory: Not enough space to allocate");
}

}  // namespace
}  // namespace zoo::test
