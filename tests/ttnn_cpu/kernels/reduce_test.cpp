// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/wormhole/reduce_sums.hpp"
#include "support/golden_file.hpp"

namespace ttnn_cpu::kernels {
namespace {

using wormhole::Fidelity;
using wormhole::SumSpec;

std::vector<float> tf32_values(std::size_t n, int spread, bool bf16, unsigned seed) {
    std::mt19937 generator(seed);
    std::vector<float> values(n);
    for (float& value : values) {
        const auto fraction = static_cast<std::uint32_t>(generator()) & (bf16 ? 0x7F0000U : 0x7FE000U);
        const auto exponent = 120U + static_cast<std::uint32_t>(generator()) % static_cast<std::uint32_t>(spread + 1);
        const auto sign = (static_cast<std::uint32_t>(generator()) & 1U) << 31;
        value = generator() % 11 == 0 ? 0.0F : std::bit_cast<float>(sign | (exponent << 23) | fraction);
    }
    // Cancellation: the destination becomes small next to the terms.
    for (std::size_t i = 17; i + 40 < n; i += 57) {
        values[i + 33] = -values[i];
    }
    return values;
}

TEST(ReduceSums, VectorFormsEqualThePlainDefinition) {
    unsigned seed = 0;
    for (const float scaler : {1.0F, -1.0F, 0.25F, 0.010375976F, 3.140625F}) {
        for (const Fidelity fidelity : {Fidelity::LoFi, Fidelity::HiFi2, Fidelity::HiFi3, Fidelity::HiFi4}) {
            for (const int spread : {0, 4, 30}) {
                for (const bool bf16 : {true, false}) {
                    const SumSpec spec{scaler, fidelity};
                    const auto in = tf32_values(16 * 96, spread, bf16, ++seed);
                    for (const std::size_t count : {16, 5}) {
                        std::vector<float> a(count);
                        std::vector<float> b(count);
                        sum_rows(spec, in.data(), 96, count, 96, a.data());
                        sum_rows_ref(spec, in.data(), 96, count, 96, b.data());
                        ASSERT_EQ(a, b) << "rows, scaler " << scaler << " spread " << spread;
                        sum_columns(spec, in.data(), 16, 90, count, a.data());
                        sum_columns_ref(spec, in.data(), 16, 90, count, b.data());
                        ASSERT_EQ(a, b) << "columns, scaler " << scaler << " spread " << spread;
                    }
                }
            }
        }
    }
}

TEST(ReduceSums, SmallSumsSurvive) {
    // Tiny values and products that underflow in the low phases.
    std::vector<float> in(16 * 32, 0.0F);
    for (std::size_t i = 0; i < in.size(); ++i) {
        in[i] = std::ldexp(
            (i % 3 == 0 ? -1.0F : 1.0F) * (1.0F + static_cast<float>(i % 128) / 128.0F),
            -122 + static_cast<int>(i % 7));
    }
    for (const float scaler : {1.0F, 0.0625F}) {
        std::vector<float> a(16);
        std::vector<float> b(16);
        sum_rows(SumSpec{scaler}, in.data(), 32, 16, 32, a.data());
        sum_rows_ref(SumSpec{scaler}, in.data(), 32, 16, 32, b.data());
        EXPECT_EQ(a, b);
    }
}

class ReduceGolden : public ::testing::TestWithParam<const char*> {};

TEST_P(ReduceGolden, MatchesBitForBit) {
    const auto golden = zoo::testing::read_golden(GetParam());
    const auto& in = golden.at("in0");  // [1, 2, rows, columns]
    const std::string name = golden.args.at("op");
    const ReduceSpec spec{
        name == "sum"    ? ReduceFunction::Sum
        : name == "mean" ? ReduceFunction::Mean
                         : ReduceFunction::Max};
    const std::size_t rows = in.shape[2];
    const std::size_t columns = in.shape[3];
    const bool over_columns = golden.args.at("dim") == -1;
    std::vector<std::uint16_t> values(in.values.size());
    host_pack_bf16(in.values.data(), values.size(), values.data());
    const std::size_t results = over_columns ? rows : columns;
    std::vector<float> destination(2 * results);
    for (std::size_t batch = 0; batch < 2; ++batch) {
        const std::uint16_t* block = &values[batch * rows * columns];
        (over_columns ? reduce_over_columns_bf16 : reduce_over_rows_bf16)(
            spec, block, columns, rows, columns, &destination[batch * results]);
    }
    std::vector<std::uint16_t> bits(destination.size());
    std::vector<float> out(destination.size());
    pack_bf16(destination.data(), destination.size(), bits.data());
    unpack_bf16(bits.data(), bits.size(), out.data());
    EXPECT_EQ(out, golden.at("out").values);
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ReduceGolden,
    ::testing::Values(
        "reduce.sum.last", "reduce.sum.rows", "reduce.mean.last", "reduce.mean.rows", "reduce.max.last",
        "reduce.max.rows"));

TEST(Reduce, MaxAndMinOrderAllValues) {
    const float infinity = std::numeric_limits<float>::infinity();
    const std::vector<float> values = {-3.0F, -0.5F, 2.0F, -7.0F, 0.0F, 1.0F};
    std::vector<std::uint16_t> bits(values.size());
    host_pack_bf16(values.data(), values.size(), bits.data());
    float out = 0.0F;
    reduce_over_columns_bf16({ReduceFunction::Max}, bits.data(), 6, 1, 6, &out);
    EXPECT_EQ(out, 2.0F);
    reduce_over_columns_bf16({ReduceFunction::Min}, bits.data(), 6, 1, 6, &out);
    EXPECT_EQ(out, -7.0F);
    reduce_over_columns_bf16({ReduceFunction::Max, -2.0F}, bits.data(), 6, 1, 2, &out);
    EXPECT_EQ(out, 1.0F) << "the scalar multiplies the maximum of -3 and -0.5";
    std::vector<float> columns(2);
    reduce_over_rows_bf16({ReduceFunction::Min}, bits.data(), 2, 3, 2, columns.data());
    EXPECT_EQ(columns, (std::vector<float>{-3.0F, -7.0F}));
    EXPECT_EQ(bf16_to_float(max_bf16(bits.data(), 0)), -infinity);
}

TEST(Reduce, Float32FormsAreNearExactArithmetic) {
    std::mt19937 generator(8);
    std::normal_distribution<float> normal;
    const std::size_t rows = 37;
    const std::size_t columns = 101;
    std::vector<float> in(rows * columns);
    for (float& value : in) {
        value = normal(generator);
    }
    std::vector<float> by_row(rows);
    std::vector<float> by_column(columns);
    reduce_over_columns_f32({ReduceFunction::Mean}, in.data(), columns, rows, columns, by_row.data());
    reduce_over_rows_f32({ReduceFunction::Sum}, in.data(), columns, rows, columns, by_column.data());
    double row_zero = 0.0;
    double column_zero = 0.0;
    for (std::size_t i = 0; i < columns; ++i) {
        row_zero += in[i] / 101.0;
    }
    for (std::size_t i = 0; i < rows; ++i) {
        column_zero += in[i * columns];
    }
    EXPECT_NEAR(by_row[0], row_zero, 1e-6);
    EXPECT_NEAR(by_column[0], column_zero, 1e-5);
    reduce_over_rows_f32({ReduceFunction::Max}, in.data(), columns, rows, columns, by_column.data());
    EXPECT_GE(by_column[3], in[3 + 5 * columns]);
    reduce_over_columns_f32({ReduceFunction::Min}, in.data(), columns, rows, columns, by_row.data());
    EXPECT_LE(by_row[2], in[2 * columns + 7]);
}

}  // namespace
}  // namespace ttnn_cpu::kernels
