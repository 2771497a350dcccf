// SPDX-License-Identifier: Apache-2.0
// The published albert-base-v2, where a user has it: TT_ZOO_CHECKPOINTS names a directory with albert-base-v2/ in it, as
// downloaded from the hub (model.safetensors and config.json). No registry carries it, so nothing fetches it.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <ttnn/device.hpp>

#include "models/albert/runner.hpp"
#include "models/albert/torch_albert.hpp"

namespace zoo::albert {
namespace {

// Rows and columns 1 to 3 of the last hidden state, as the transformers test suite asserts them.
void expect_published(const HostTensor& hidden, float bound) {
    constexpr std::array<std::array<float, 3>, 3> kExpected{
        {{-0.6513F, 1.5035F, -0.2766F}, {-0.6515F, 1.5046F, -0.2780F}, {-0.6512F, 1.5049F, -0.2784F}}};
    ASSERT_EQ(hidden.shape, (Shape{1, 11, 768}));
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = 0; column < 3; ++column) {
            EXPECT_NEAR(hidden.data[(row + 1) * 768 + column + 1], kExpected[row][column], bound);
        }
    }
}

TEST(AlbertCheckpoint, PublishedHiddenStates) {
    const char* directory = std::getenv("TT_ZOO_CHECKPOINTS");
    const std::filesystem::path model = std::filesystem::path(directory ? directory : "") / "albert-base-v2";
    if (directory == nullptr || !std::filesystem::exists(model / "config.json")) {
        GTEST_SKIP() << "TT_ZOO_CHECKPOINTS names no directory with albert-base-v2/config.json in it";
    }
    const Config config = from_json(model / "config.json");
    const Weights weights = load(*open_checkpoint(model, ignored_names()), config);
    Inputs inputs{
        .batch = 1,
        .sequence = 11,
        .input_ids = {0, 345, 232, 328, 740, 140, 1695, 69, 6078, 1588, 2},
        .token_type_ids = std::vector<std::uint32_t>(11, 0),
        .attention_mask = {0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}};
    expect_published(golden::albert(config, weights, inputs), 1e-4F);
    const auto device = ttnn::open_mesh_device(0);
    for (const Plan plan : {Plan::Functional, Plan::Optimized}) {
        Runner runner(*device, config, weights, {.task = Task::HiddenState, .sequence = 32, .plan = plan});
        expect_published(runner.run(inputs), plan == Plan::Functional ? 0.03F : 0.15F);
    }
}

}  // namespace
}  // namespace zoo::albert
