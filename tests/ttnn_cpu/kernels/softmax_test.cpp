// SPDX-License-Identifier: Apache-2.0
#include "kernels/softmax.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/fpu_rows.hpp"
#include "support/golden_file.hpp"
#include "support/printed_name.hpp"

namespace ttnn_cpu::kernels {
namespace {

using zoo::testing::read_golden;

std::vector<std::uint16_t> to_bf16(const std::vector<float>& values) {
    std::vector<std::uint16_t> out(values.size());
    host_pack_bf16(values.data(), values.size(), out.data());
    return out;
}

std::vector<float> to_float(const std::vector<std::uint16_t>& values) {
    std::vector<float> out(values.size());
    unpack_bf16(values.data(), values.size(), out.data());
    return out;
}

class SoftmaxGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(SoftmaxGolden, MatchesBitForBit) {
    const auto golden = read_golden(GetParam());
    const auto in = to_bf16(golden.at("in0").values);
    const std::size_t columns = golden.at("in0").shape.back();
    std::vector<std::uint16_t> out(in.size());
    softmax_rows(
        {.columns = columns, .numeric_stable = golden.args.value("numeric_stable", true)},
        {.in = in.data(), .in_stride = columns, .out = out.data(), .out_stride = columns, .rows = in.size() / columns});
    EXPECT_EQ(to_float(out), golden.at("out").values);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, SoftmaxGolden, ::testing::Values("softmax.plain", "softmax.stable", "softmax.unaligned"),
    zoo::test::printed_name);

TEST(Softmax, ScaledAndMaskedMatchesGolden) {
    const auto golden = read_golden("transformer.attention_softmax");
    const auto in = to_bf16(golden.at("in0").values);    // [2, 4, 64, 64]
    const auto mask = to_bf16(golden.at("in1").values);  // [2, 1, 1, 64]
    const float scale = 1.0F / std::sqrt(golden.args.at("head_size").get<float>());
    std::vector<std::uint16_t> out(in.size());
    const std::size_t rows = 4 * 64;
    for (std::size_t batch = 0; batch < 2; ++batch) {
        const std::size_t start = batch * rows * 64;
        softmax_rows(
            {.columns = 64, .scale = scale}, {.in = &in[start],
                                              .in_stride = 64,
                                              .mask = &mask[batch * 64],
                                              .out = &out[start],
                                              .out_stride = 64,
                                              .rows = rows});
    }
    EXPECT_EQ(to_float(out), golden.at("out").values);
}

TEST(Softmax, AccurateExpIsNearTheExactFunction) {
    std::mt19937 generator(2);
    std::normal_distribution<float> normal(0.0F, 3.0F);
    const std::size_t columns = 384;
    std::vector<float> values(20 * columns);
    for (float& value : values) {
        value = normal(generator);
    }
    const auto in = to_bf16(values);
    std::vector<std::uint16_t> out(in.size());
    softmax_rows(
        {.columns = columns, .exp_approx = false, .reciprocal_approx = false},
        {.in = in.data(), .in_stride = columns, .out = out.data(), .out_stride = columns, .rows = 20});
    const auto exact_in = to_float(in);
    const auto result = to_float(out);
    double error = 0.0;
    double size = 0.0;
    for (std::size_t row = 0; row < 20; ++row) {
        double sum = 0.0;
        for (std::size_t c = 0; c < columns; ++c) {
            sum += std::exp(static_cast<double>(exact_in[row * columns + c]));
        }
        for (std::size_t c = 0; c < columns; ++c) {
            const double exact = std::exp(static_cast<double>(exact_in[row * columns + c])) / sum;
            error += std::pow(result[row * columns + c] - exact, 2);
            size += exact * exact;
        }
    }
    // Measured 1.0e-2: the sum is rounded to bfloat16 at every step.
    EXPECT_LT(std::sqrt(error / size), 2e-2);
}

TEST(Softmax, ReciprocalApproximationsDiffer) {
    EXPECT_NEAR(reciprocal_compat(3.0F, false), 1.0F / 3.0F, 1e-3F);
    double worst = 0.0;
    for (float x = 1.0F; x < 2.0F; x += 0.0078125F) {
        worst = std::max(worst, std::abs(static_cast<double>(reciprocal_compat(x, true)) * x - 1.0));
    }
    EXPECT_GT(worst, 0.03);
    EXPECT_LT(worst, 0.045);
    EXPECT_EQ(reciprocal_compat(-2.0F, false), -0.5F);
}

TEST(Softmax, Float32RowsSumToOne) {
    const std::vector<float> in = {1.0F, 2.0F, 3.0F, 1000.0F, 999.0F, -1000.0F};
    std::vector<float> out(in.size());
    softmax_rows_f32(3, in.data(), 3, 2, out.data(), 3);
    EXPECT_NEAR(out[2] / out[1], std::exp(1.0F), 1e-5F);
    EXPECT_NEAR(out[0] + out[1] + out[2], 1.0F, 1e-6F);
    EXPECT_NEAR(out[3], 1.0F / (1.0F + std::exp(-1.0F)), 1e-6F);
    EXPECT_EQ(out[5], 0.0F);
}

TEST(FpuRows, SumsEqualThePlainDefinition) {
    std::mt19937 generator(4);
    for (const std::size_t columns : {32, 64, 352}) {
        for (const int spread : {0, 6, 40, 200}) {
            const std::size_t rows = 1 + generator() % kRowSumBlock;
            std::vector<std::uint16_t> in(rows * columns);
            for (auto& value : in) {
                const int exponent =
                    127 - static_cast<int>(generator() % static_cast<unsigned>(spread + 1)) + spread / 2;
                value = generator() % 9 == 0 ? 0 : static_cast<std::uint16_t>((exponent << 7) | (generator() & 0x7F));
            }
            std::vector<std::uint16_t> sums(rows);
            fpu_row_sums_bf16(in.data(), columns, rows, columns, sums.data());
            for (std::size_t row = 0; row < rows; ++row) {
                ASSERT_EQ(sums[row], fpu_row_sum_bf16(&in[row * columns], columns))
                    << columns << " " << spread << " " << row;
            }
        }
    }
}

// Other dimensions than the last: both orders of the sum come close to the formula, and lines do not touch each other.
TEST(SoftmaxLines, AreTheFormulaWithinTheRoundingOfBfloat16) {
    std::mt19937 generator(9);
    std::normal_distribution<float> normal;
    for (const SoftmaxSum sum : {SoftmaxSum::ColumnReduction, SoftmaxSum::TileByTile}) {
        for (const std::size_t length : {1, 2, 31, 40, 64}) {
            for (const std::size_t width : {1, 32}) {
                std::vector<float> values(length * width);
                std::generate(values.begin(), values.end(), [&] { return normal(generator); });
                std::vector<std::uint16_t> block = to_bf16(values);
                values = to_float(block);
                softmax_lines(sum, /*reciprocal_approx=*/false, length, width, block.data());
                const std::vector<float> result = to_float(block);
                for (std::size_t i = 0; i < width; ++i) {
                    float total = 0.0F;
                    for (std::size_t d = 0; d < length; ++d) {
                        total += std::exp(values[d * width + i]);
                    }
                    for (std::size_t d = 0; d < length; ++d) {
                        const float expected = std::exp(values[d * width + i]) / total;
                        ASSERT_NEAR(result[d * width + i], expected, 0.05F * expected) << length << " " << width;
                    }
                }
            }
        }
    }
}

TEST(FpuRows, ProductsEqualThePlainDefinition) {
    std::mt19937 generator(6);
    std::vector<std::uint16_t> in(65536);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = static_cast<std::uint16_t>(i);
    }
    std::vector<std::uint16_t> out(in.size());
    std::vector<std::uint16_t> factors = {0x0000, 0x8000, 0x3F80, 0xBF80, 0x0080, 0x0700, 0x7F00, 0x7F80, 0x0001};
    for (int i = 0; i < 12; ++i) {
        factors.push_back(static_cast<std::uint16_t>(generator()));
    }
    for (const std::uint16_t b : factors) {
        fpu_scale_bf16(in.data(), b, in.size() - 5, out.data());
        for (std::size_t i = 0; i < in.size() - 5; ++i) {
            ASSERT_EQ(out[i], fpu_mul_bf16(in[i], b)) << std::hex << in[i] << " * " << b;
        }
    }
}

}  // namespace
}  // namespace ttnn_cpu::kernels
