// SPDX-License-Identifier: Apache-2.0
#include "conformance/refusals.hpp"

#include <gtest/gtest.h>

namespace zoo::conformance {
namespace {

class Refusals : public testing::TestWithParam<ttnn_cpu::Board> {};

TEST_P(Refusals, TheEmbeddedDeviceAndTheRealLibraryAgree) {
    std::vector<Refusal> refusals;
    try {
        refusals = try_refusals(GetParam());
    } catch (const OutOfReach& error) {
        GTEST_SKIP() << "the real TTNN is out of reach: " << error.what();
    }
    EXPECT_GE(refusals.size(), 140U);
    for (const Refusal& refusal : refusals) {
        EXPECT_TRUE(refusal.agrees()) << refusal.name << "\n  embedded device: " << refusal.here
                                      << "\n  real library: " << refusal.there
                                      << "\n  not tried: " << refusal.not_tried;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Boards, Refusals, testing::Values(ttnn_cpu::Board::N150, ttnn_cpu::Board::P150),
    [](const auto& info) { return std::string(to_string(info.param)); });

}  // namespace
}  // namespace zoo::conformance
