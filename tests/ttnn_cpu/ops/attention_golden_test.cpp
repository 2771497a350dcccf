// SPDX-License-Identifier: Apache-2.0
// Scaled dot product attention against results of the real TTNN.
#include <algorithm>
#include <cmath>

#include "op_fixture.hpp"
#include "zoo/unpackaged_ops.hpp"

namespace {

using namespace op_test;

class SdpaGolden : public OpTest {
protected:
    std::vector<float> run() const {
        return ttnn::transformer::scaled_dot_product_attention(
                   upload(golden_.at("in0")), upload(golden_.at("in1")), upload(golden_.at("in2")))
            .to_vector<float>();
    }

    // Causal attention, in double.
    std::vector<float> exact() const {
        const auto& shape = golden_.at("in0").shape;
        const std::size_t seq = shape[2];
        const std::size_t d = shape[3];
        const float* q = golden_.at("in0").values.data();
        const float* k = golden_.at("in1").values.data();
        const float* v = golden_.at("in2").values.data();
        std::vector<float> out(golden_.at("in0").values.size());
        for (std::size_t head = 0; head < shape[0] * shape[1]; ++head) {
            const std::size_t base = head * seq * d;
            for (std::size_t row = 0; row < seq; ++row) {
                std::vector<double> weights(row + 1);
                double sum = 0;
                for (std::size_t j = 0; j <= row; ++j) {
                    double score = 0;
                    for (std::size_t i = 0; i < d; ++i) {
                        score += static_cast<double>(q[base + row * d + i]) * k[base + j * d + i];
                    }
                    sum += weights[j] = std::exp(score / std::sqrt(static_cast<double>(d)));
                }
                for (std::size_t i = 0; i < d; ++i) {
                    double value = 0;
                    for (std::size_t j = 0; j <= row; ++j) {
                        value += weights[j] / sum * v[base + j * d + i];
                    }
                    out[base + row * d + i] = static_cast<float>(value);
                }
            }
        }
        return out;
    }

    const GoldenFile golden_ = zoo::testing::read_golden("transformer.sdpa.causal");
};

TEST_F(SdpaGolden, FastIsAsCloseAsTheCard) { expect_as_close_as_the_card(golden_.at("out").values, run(), exact()); }

TEST_F(SdpaGolden, WormholeIsWithinAStep) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    expect_within_a_step(golden_.at("out").values, run());
}

}  // namespace
