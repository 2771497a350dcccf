// SPDX-License-Identifier: Apache-2.0
#include "models/mobilenetv2/runner.hpp"

#include "tests/models/image_runner_checks.hpp"

namespace zoo::test {
namespace {

struct TinyCase {
    using Runner = mobilenetv2::Runner;
    static constexpr std::size_t kL1Small = mobilenetv2::kL1SmallBytes;

    mobilenetv2::Config config = mobilenetv2::preset("mobilenetv2-tiny");
    mobilenetv2::Weights weights = mobilenetv2::random(config, 61);

    [[nodiscard]] HostTensor images(std::int64_t count, std::uint64_t seed) const {
        return random_images(count, config.size(), seed);
    }
};

INSTANTIATE_TYPED_TEST_SUITE_P(MobileNetV2, ImageRunners, TinyCase);

// What an n150 does not hold is named, with what is there and what it takes.
TEST(MobileNetV2RunnerSizes, SaysWhatDoesNotFit) {
    const auto device = ttnn::open_mesh_device(0, TinyCase::kL1Small);
    SKIP_UNLESS_WORMHOLE(*device);
    const mobilenetv2::Config config = mobilenetv2::preset("mobilenetv2");
    const mobilenetv2::Weights weights = mobilenetv2::random(config, 64);
    const auto run = [&] { mobilenetv2::Runner(*device, config, weights, {.batch = 64}); };
    // Between the two, tt-metal says where it checks.
    EXPECT_THROWS_WITH(run(), "3x3 from 8 to 32 channels on 64 maps of 224 x 224: ");
    EXPECT_THROWS_WITH(run(), "Out of Memory: Not enough space to allocate");
}

}  // namespace
}  // namespace zoo::test
