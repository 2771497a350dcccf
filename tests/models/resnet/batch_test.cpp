// SPDX-License-Identifier: Apache-2.0
// The batch that the model is placed for on a card, to its end: 16 pictures in one traced run.
#include <gtest/gtest.h>

#include <algorithm>
#include <ttnn/device.hpp>

#include "models/resnet/images.hpp"
#include "models/resnet/runner.hpp"
#include "models/resnet/torch_resnet.hpp"
#include "support/matchers.hpp"
#include "support/thresholds.hpp"

namespace zoo::resnet {
namespace {

constexpr std::int64_t kBatch = 16;

class ResnetBatch16 : public ::testing::TestWithParam<const char*> {};

TEST_P(ResnetBatch16, AgreesWithTheGoldenInEveryPicture) {
    const Config config = preset(GetParam());
    const Weights weights = random(config, 81);
    const HostTensor images = random_images(config, kBatch, 82);
    const HostTensor expected = golden::fast_resnet(config, weights)(images);
    const auto device = ttnn::open_mesh_device(0, kL1SmallSize, 64 << 20, 2);
    Runner runner(*device, config, weights, {.batch = kBatch, .mode = Mode::TracedTwoQueues});
    const HostTensor actual = runner.run(images);
    ASSERT_EQ(actual.shape, expected.shape);
    EXPECT_WITHIN(expected, actual, test::threshold("resnet", "resnet_batch16", "optimized"));
    RecordProperty("measured", describe(compare(expected.data, actual.data)));
    const auto labels = static_cast<std::ptrdiff_t>(config.num_labels);
    for (std::ptrdiff_t image = 0; image < kBatch; ++image) {
        const auto best = [&](const HostTensor& logits) {
            const auto first = logits.data.begin() + image * labels;
            return std::max_element(first, first + labels) - first;
        };
        EXPECT_EQ(best(actual), best(expected)) << "image " << image;
    }
    // The same picture in another place of the batch has the same result.
    HostTensor turned = images;
    const auto picture = static_cast<std::ptrdiff_t>(images.data.size() / kBatch);
    std::rotate(turned.data.begin(), turned.data.begin() + picture, turned.data.end());
    const HostTensor again = runner.run(turned);
    EXPECT_TRUE(std::equal(again.data.begin(), again.data.end() - labels, actual.data.begin() + labels));
}

INSTANTIATE_TEST_SUITE_P(Presets, ResnetBatch16, ::testing::Values("resnet18", "resnet50"), [](const auto& row) {
    return std::string(row.param);
});

}  // namespace
}  // namespace zoo::resnet
