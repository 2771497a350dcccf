// SPDX-License-Identifier: Apache-2.0
// Reductions and argmax against results of the real TTNN.
#include <algorithm>

#include <ttnn/operations/reduction/argmax/argmax.hpp>
#include <ttnn/operations/reduction/generic/generic_reductions.hpp>

#include "op_fixture.hpp"

namespace {

using namespace op_test;

class ReductionGolden : public OpTest, public ::testing::WithParamInterface<const char*> {
protected:
    std::vector<float> run() const {
        const Tensor input = upload(golden_.at("in0"));
        const std::string op = golden_.args.at("op");
        const int dim = golden_.args.at("dim");
        const Tensor result = op == "sum"    ? ttnn::sum(input, dim, true)
                              : op == "mean" ? ttnn::mean(input, dim, true)
                                             : ttnn::max(input, dim, true);
        EXPECT_EQ(result.logical_shape(), shape_of(golden_.at("out").shape));
        return result.to_vector<float>();
    }

    std::vector<float> exact() const {
        const GoldenTensor& in = golden_.at("in0");
        const std::string op = golden_.args.at("op");
        const std::size_t width = in.shape[3];
        const std::size_t height = in.shape[2];
        const bool over_rows = golden_.args.at("dim") == -2;
        const std::size_t length = over_rows ? height : width;
        const std::size_t step = over_rows ? width : 1;
        std::vector<float> out;
        for (std::size_t start = 0; start < in.values.size(); start += height * width) {
            for (std::size_t i = 0; i < (over_rows ? width : height); ++i) {
                const float* line = &in.values[start + i * (over_rows ? 1 : width)];
                double sum = 0;
                float largest = line[0];
                for (std::size_t k = 0; k < length; ++k) {
                    sum += line[k * step];
                    largest = std::max(largest, line[k * step]);
                }
                const double mean = sum / static_cast<double>(length);
                out.push_back(op == "max" ? largest : static_cast<float>(op == "sum" ? sum : mean));
            }
        }
        return out;
    }

    const GoldenFile golden_ = zoo::testing::read_golden(GetParam());
};

TEST_P(ReductionGolden, FastIsAsCloseAsTheCard) {
    expect_as_close_as_the_card(golden_.at("out").values, run(), exact());
}

TEST_P(ReductionGolden, WormholeIsExact) {
    ttnn_cpu::set_numerics(*device_, ttnn_cpu::Numerics::Wormhole);
    expect_exact(golden_.at("out").values, run());
}

INSTANTIATE_TEST_SUITE_P(
    Golden, ReductionGolden,
    ::testing::Values(
        "reduce.max.last", "reduce.max.rows", "reduce.mean.last", "reduce.mean.rows", "reduce.sum.last",
        "reduce.sum.rows"),
    [](const auto& golden) {
        std::string name = std::string(golden.param).substr(std::string("reduce.").size());
        std::replace(name.begin(), name.end(), '.', '_');
        return name;
    });

class ArgmaxGolden : public OpTest {};

TEST_F(ArgmaxGolden, IsExact) {
    const GoldenFile golden = zoo::testing::read_golden("reduce.argmax");
    const Tensor result = ttnn::argmax(upload(golden.at("in0"), Layout::ROW_MAJOR), -1);
    EXPECT_EQ(result.logical_shape(), shape_of(golden.at("out").shape));
    const std::vector<float>& expected = golden.at("out").values;
    EXPECT_EQ(result.to_vector<std::uint32_t>(), std::vector<std::uint32_t>(expected.begin(), expected.end()));
}

}  // namespace
