// SPDX-License-Identifier: Apache-2.0
// The softmax functions against results of the real TTNN.
#include <algorithm>
#include <cmath>

#include <ttnn/operations/normalization/softmax/softmax.hpp>
#include <ttnn/operations/transformer/attention_softmax/attention_softmax.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;

// Over the last dimension, in double.
std::vector<float> exact_softmax(const std::vector<double>& x, std::size_t width) {
    std::vector<float> out(x.size());
    for (std::size_t row = 0; row < x.size(); row += width) {
        const double largest = *std::max_element(&x[row], &x[row] + width);
        double sum = 0;
        for (std::size_t i = row; i < row + width; ++i) {
            sum += std::exp(x[i] - largest);
        }
        for (std::size_t i = row; i < row + width; ++i) {
            out[i] = static_cast<float>(std::exp(x[i] - largest) / sum);
        }
    }
    return out;
}

class SoftmaxGolden : public OpTest, public ::testing::WithParamInterface<const char*> {
protected:
    std::vector<float> run() const {
        const Tensor input = upload(golden_.at("in0"));
        return ttnn::softmax(input, -1, std::nullopt, std::nullopt, golden_.args.value("numeric_stable", true))
            .to_vector<float>();
    }

    const GoldenFile golden_ = zoo::testing::read_golden(GetParam());
};

TEST_P(SoftmaxGolden, FastIsAsCloseAsTheCard) {
    const GoldenTensor& in = golden_.at("in0");
    const std::vector<double> x(in.values.begin(), in.values.end());
    expect_as_close_as_the_card(golden_.at("out").values, run(), exact_softmax(x, in.shape.back()));
}

TEST_P(SoftmaxGolden, WormholeIsWithinAStep) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    expect_within_a_step(golden_.at("out").values, run());
}

INSTANTIATE_TEST_SUITE_P(
    Golden, SoftmaxGolden, ::testing::Values("softmax.plain", "softmax.stable", "softmax.unaligned"),
    [](const auto& golden) { return std::string(golden.param).substr(std::string("softmax.").size()); });

class AttentionSoftmaxGolden : public OpTest {
protected:
    std::vector<float> run(bool in_place) const {
        Tensor input = upload(golden_.at("in0"));
        const Tensor mask = upload(golden_.at("in1"));
        const int head_size = golden_.args.at("head_size");
        const Tensor result = in_place ? ttnn::transformer::attention_softmax_(input, head_size, mask)
                                       : ttnn::transformer::attention_softmax(input, head_size, mask);
        return result.to_vector<float>();
    }

    const GoldenFile golden_ = zoo::testing::read_golden("transformer.attention_softmax");
};

TEST_F(AttentionSoftmaxGolden, FastIsAsCloseAsTheCard) {
    const GoldenTensor& in = golden_.at("in0");
    const GoldenTensor& mask = golden_.at("in1");
    const std::size_t width = in.shape.back();
    const std::size_t batch_size = in.values.size() / in.shape[0];
    std::vector<double> x(in.values.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        x[i] = in.values[i] / std::sqrt(golden_.args.at("head_size").get<double>()) +
               mask.values[i / batch_size * width + i % width];
    }
    for (const bool in_place : {false, true}) {
        expect_as_close_as_the_card(golden_.at("out").values, run(in_place), exact_softmax(x, width));
    }
}

TEST_F(AttentionSoftmaxGolden, WormholeIsWithinAStep) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    for (const bool in_place : {false, true}) {
        expect_within_a_step(golden_.at("out").values, run(in_place));
    }
}

}  // namespace
