// SPDX-License-Identifier: Apache-2.0
// The trained weights of this repository on digits: drawn here, and MNIST's own where they were fetched.
#include "models/mnist/digits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ttnn/device.hpp>

#include "models/mnist/runner.hpp"
#include "support/real_weights.hpp"

namespace zoo::mnist {
namespace {

class MnistTrained : public ::testing::TestWithParam<Plan> {
protected:
    // Digits [0, count) that the network names right.
    std::int64_t right(const Digits& digits, std::int64_t count) {
        std::int64_t found = 0;
        for (std::int64_t first = 0; first < count; first += kBatch) {
            const std::int64_t batch = std::min(kBatch, count - first);
            const HostTensor logits = runner_.run(digit_images(config_, digits, first, batch));
            for (std::int64_t i = 0; i < batch; ++i) {
                const auto row = logits.data.begin() + i * logits.shape[1];
                const auto best = std::max_element(row, row + logits.shape[1]) - row;
                found += best == digits.labels[static_cast<std::size_t>(first + i)] ? 1 : 0;
            }
        }
        return found;
    }

    static constexpr std::int64_t kBatch = 50;
    std::shared_ptr<ttnn::MeshDevice> device_ = ttnn::open_mesh_device(0, kL1SmallBytes);
    Config config_;
    Weights weights_ = load(*open_checkpoint(ZOO_TEST_DATA_DIR "/../../models/mnist/mnist.safetensors"), config_);
    Runner runner_{*device_, config_, weights_, {.batch = kBatch, .plan = GetParam()}};
};

TEST_P(MnistTrained, ReadsDrawnDigits) {
    const Digits digits = drawn_digits(100, 7);
    EXPECT_GE(right(digits, 100), 97);
    // The same digits under wrong names.
    Digits mistaken = digits;
    std::rotate(mistaken.labels.begin(), mistaken.labels.begin() + 1, mistaken.labels.end());
    EXPECT_LE(right(mistaken, 100), 3);
}

TEST_P(MnistTrained, ReadsHeldOutDigits) {
    ZOO_REQUIRE_WEIGHTS(directory, "mnist-digits");
    const Digits digits = read_digits(*directory, "t10k");
    EXPECT_EQ(digits.count, 10000);
    EXPECT_GE(right(digits, 500), 495);
}

INSTANTIATE_TEST_SUITE_P(
    Plans, MnistTrained, ::testing::Values(Plan::Functional, Plan::Optimized),
    [](const auto& row) { return std::string(to_string(row.param)); });

}  // namespace
}  // namespace zoo::mnist
