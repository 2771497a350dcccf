// SPDX-License-Identifier: Apache-2.0
// ttnn::layer_norm against results of the real TTNN.
#include <bit>
#include <cmath>
#include <cstdint>

#include <ttnn/operations/normalization/layernorm/layernorm.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;

class LayerNormGolden : public OpTest, public ::testing::WithParamInterface<const char*> {
protected:
    bool has_residual() const { return golden_.tensors.contains("in3"); }
    const GoldenTensor& gamma() const { return golden_.at(has_residual() ? "in2" : "in1"); }
    const GoldenTensor& beta() const { return golden_.at(has_residual() ? "in3" : "in2"); }

    std::vector<float> run(bool row_major_weights) const {
        const Tensor input = upload(golden_.at("in0"));
        std::optional<const Tensor> residual;
        if (has_residual()) {
            residual.emplace(upload(golden_.at("in1")));
        }
        const auto row = [&](GoldenTensor values) {
            if (!row_major_weights) {
                return upload(values);
            }
            values.shape = {1, 1, values.values.size() / 32, 32};
            return upload(values, Layout::ROW_MAJOR);
        };
        return ttnn::layer_norm(input, golden_.args.at("epsilon"), row(gamma()), row(beta()), residual)
            .to_vector<float>();
    }

    std::vector<float> exact() const {
        const GoldenTensor& in = golden_.at("in0");
        const std::size_t width = in.shape.back();
        std::vector<float> out(in.values.size());
        std::vector<double> x(width);
        for (std::size_t row = 0; row < out.size(); row += width) {
            double mean = 0;
            for (std::size_t i = 0; i < width; ++i) {
                x[i] = in.values[row + i] + (has_residual() ? golden_.at("in1").values[row + i] : 0.0);
                mean += x[i] / static_cast<double>(width);
            }
            double variance = 0;
            for (const double value : x) {
                variance += (value - mean) * (value - mean) / static_cast<double>(width);
            }
            for (std::size_t i = 0; i < width; ++i) {
                out[row + i] = static_cast<float>(
                    (x[i] - mean) / std::sqrt(variance + golden_.args.at("epsilon").get<double>()) * gamma().values[i] +
                    beta().values[i]);
            }
        }
        return out;
    }

    const GoldenFile golden_ = zoo::testing::read_golden(GetParam());
};

TEST_P(LayerNormGolden, FastIsAsCloseAsTheCard) {
    expect_as_close_as_the_card(golden_.at("out").values, run(false), exact());
}

TEST_P(LayerNormGolden, WormholeIsWithinAStep) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    expect_within_a_step(golden_.at("out").values, run(false));
}

// FLOAT32 takes the same steps, reads 10 fraction bits, and is rounded by nobody in the end.
TEST_P(LayerNormGolden, Float32TakesTheSameStepsInWormhole) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    const auto run_f32 = [&](std::uint32_t low_bits) {
        const auto wide = [&](const GoldenTensor& tensor) {
            Array values{.shape = {tensor.shape.begin(), tensor.shape.end()}, .data = tensor.values};
            for (float& value : values.data) {
                value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) | low_bits);
            }
            return upload(values, DataType::FLOAT32);
        };
        std::optional<const Tensor> residual;
        if (has_residual()) {
            residual.emplace(wide(golden_.at("in1")));
        }
        return ttnn::layer_norm(
                   wide(golden_.at("in0")), golden_.args.at("epsilon"), wide(gamma()), wide(beta()), residual)
            .to_vector<float>();
    };
    const std::vector<float> found = run_f32(0);
    std::vector<float> rounded;
    for (const float value : found) {
        // The packer: halves away from zero.
        rounded.push_back(std::bit_cast<float>((std::bit_cast<std::uint32_t>(value) + 0x8000U) & 0xFFFF0000U));
    }
    EXPECT_EQ(rounded, run(false));
    EXPECT_NE(rounded, found);
    EXPECT_EQ(run_f32(0x1FFF), found);
}

// Weights in ROW_MAJOR are rows of 32, so not for the unaligned case.
class LayerNormGoldenAligned : public LayerNormGolden {};

TEST_P(LayerNormGoldenAligned, RowMajorWeightsGiveTheSame) { EXPECT_EQ(run(true), run(false)); }

INSTANTIATE_TEST_SUITE_P(
    Golden, LayerNormGolden, ::testing::Values("layer_norm.affine", "layer_norm.residual", "layer_norm.unaligned"),
    [](const auto& golden) { return std::string(golden.param).substr(std::string("layer_norm.").size()); });

INSTANTIATE_TEST_SUITE_P(
    Golden, LayerNormGoldenAligned, ::testing::Values("layer_norm.affine", "layer_norm.residual"),
    [](const auto& golden) { return std::string(golden.param).substr(std::string("layer_norm.").size()); });

}  // namespace
