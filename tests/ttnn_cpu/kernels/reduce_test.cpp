// SPDX-License-Identifier: Apache-2.0
#include "kernels/reduce.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "kernels/formats.hpp"
#include "kernels/wormhole/reduce_sums.hpp"
#include "support/golden_file.hpp"
#include "support/printed_name.hpp"

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
        "reduce.max.rows"),
    zoo::test::printed_name);

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

std::vector<float> normal_values(std::size_t n, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal;
    std::vector<float> in(n);
    for (float& value : in) {
        value = normal(generator);
    }
    return in;
}

float cut(float value, std::uint32_t bits) { return std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) & ~bits); }

// The matrix unit sees 10 fraction bits of a FLOAT32, and of the scaler.
TEST(ReduceFloat32, MatrixUnitSumsCutValues) {
    constexpr std::size_t kRows = 37;
    constexpr std::size_t kColumns = 101;
    const auto in = normal_values(kRows * kColumns, 8);
    std::vector<float> expected(kRows);
    std::vector<float> line(128, 0.0F);
    const SumSpec sum{cut(1.0F / kColumns, 0x1FFF), Fidelity::HiFi3};
    for (std::size_t row = 0; row < kRows; ++row) {
        std::copy_n(&in[row * kColumns], kColumns, line.data());
        sum_rows_ref(sum, line.data(), 128, 1, 128, &expected[row]);
    }
    std::vector<float> actual(kRows);
    reduce_over_columns_f32({ReduceFunction::Mean}, in.data(), kColumns, kRows, kColumns, actual.data());
    EXPECT_EQ(actual, expected);

    expected.resize(kColumns);
    actual.resize(kColumns);
    for (std::size_t column = 0; column < kColumns; ++column) {
        sum_columns_ref(SumSpec{1.0F, Fidelity::HiFi3}, &in[column], kColumns, kRows, 1, &expected[column]);
    }
    reduce_over_rows_f32({ReduceFunction::Sum}, in.data(), kColumns, kRows, kColumns, actual.data());
    EXPECT_EQ(actual, expected);
    double exact = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
        exact += in[row * kColumns];
    }
    EXPECT_NEAR(actual[0], exact, 37 * 5e-4);
}

// By hand: ones that only count where they meet before the 2^24 do.
TEST(ReduceFloat32, VectorUnitAddsInTheOrderOfItsRegisters) {
    const float large = 16777216.0F;
    const ReduceSpec mean{.function = ReduceFunction::Mean, .vector_unit = true};
    const auto row_mean = [&](const std::vector<std::pair<std::size_t, float>>& values, std::size_t n) {
        std::vector<float> line(n, 0.0F);
        for (const auto& [at, value] : values) {
            line[at] = value;
        }
        float out = 0.0F;
        reduce_over_columns_f32(mean, line.data(), n, 1, n, &out);
        return out * static_cast<float>(n);
    };
    // Columns 1, 16 and 17 are of the same lane as column 0, added before it.
    EXPECT_EQ(row_mean({{0, large}, {1, 1.0F}, {16, 1.0F}}, 32), large + 2);
    EXPECT_EQ(row_mean({{0, large}, {16, 1.0F}, {17, 1.0F}}, 32), large + 2);
    // Columns 2 and 4 are other lanes, two and one turns away: each is lost alone.
    EXPECT_EQ(row_mean({{0, large}, {8, 1.0F}, {4, 1.0F}}, 32), large);
    // Lanes 2 and 6 meet before they meet lane 0.
    EXPECT_EQ(row_mean({{0, large}, {4, 1.0F}, {12, 1.0F}}, 32), large + 2);
    // Tiles come first, one after the other.
    EXPECT_EQ(row_mean({{0, large}, {32, 1.0F}, {64, 1.0F}}, 128), large);
    EXPECT_EQ(row_mean({{0, large}, {1, 1.0F}, {33, 1.0F}}, 64), large + 2);

    const auto column_mean = [&](const std::vector<std::pair<std::size_t, float>>& values, std::size_t n) {
        std::vector<float> lines(n * 3, 0.0F);
        for (const auto& [at, value] : values) {
            lines[at * 3 + 1] = value;
        }
        float out[3] = {};
        reduce_over_rows_f32(mean, lines.data(), 3, n, 3, out);
        EXPECT_EQ(out[0], 0.0F);
        return out[1] * static_cast<float>(n);
    };
    EXPECT_EQ(column_mean({{0, large}, {4, 1.0F}, {12, 1.0F}}, 32), large + 2);
    EXPECT_EQ(column_mean({{0, large}, {4, 1.0F}, {16, 1.0F}}, 32), large) << "a face is summed before the other";
    EXPECT_EQ(column_mean({{0, large}, {16, 1.0F}, {24, 1.0F}}, 32), large + 2);
    EXPECT_EQ(column_mean({{0, large}, {2, 1.0F}, {3, 1.0F}}, 32), large + 2) << "rows 2 and 3 are a pair";
    EXPECT_EQ(column_mean({{0, large}, {1, 1.0F}, {2, 1.0F}}, 32), large);
    EXPECT_EQ(column_mean({{0, large}, {32, 1.0F}, {64, 1.0F}}, 128), large);
}

TEST(ReduceFloat32, VectorUnitIsNearExactArithmetic) {
    for (const std::size_t n : {1, 31, 32, 33, 101, 384}) {
        const auto in = normal_values(n, static_cast<unsigned>(n));
        const double mean = std::accumulate(in.begin(), in.end(), 0.0) / static_cast<double>(n);
        const ReduceSpec spec{.function = ReduceFunction::Mean, .vector_unit = true};
        float out = 0.0F;
        reduce_over_columns_f32(spec, in.data(), n, 1, n, &out);
        EXPECT_NEAR(out, mean, 1e-6);
        reduce_over_rows_f32(spec, in.data(), 1, n, 1, &out);
        EXPECT_NEAR(out, mean, 1e-6);
    }
}

TEST(ReduceFloat32, MaximaKeepAllBitsOnTheVectorUnitOnly) {
    const std::vector<float> in = {1.0001F, -3.0003F, 1.00001F, -2.0F};
    float out = 0.0F;
    reduce_over_columns_f32({.function = ReduceFunction::Max, .vector_unit = true}, in.data(), 4, 1, 4, &out);
    EXPECT_EQ(out, 1.0001F);
    reduce_over_columns_f32({ReduceFunction::Max}, in.data(), 4, 1, 4, &out);
    EXPECT_EQ(out, 1.0F);
    reduce_over_columns_f32({ReduceFunction::Min, 2.0F}, in.data(), 4, 1, 4, &out);
    EXPECT_EQ(out, 2.0F * cut(-3.0003F, 0x1FFF));
    reduce_over_rows_f32({ReduceFunction::Min}, in.data(), 1, 4, 1, &out);
    EXPECT_EQ(out, cut(-3.0003F, 0x1FFF));
}

// One tile: the sixteen sums of columns lose what bfloat16 has no room for before they are added.
TEST(ReduceTile, CutsTheSumsOfColumns) {
    std::vector<float> tile(32 * 32, 0.0F);
    tile[0] = 256.0F;
    tile[16] = 1.0F;  // another face, the same column of a face
    tile[1] = 1.0F;
    EXPECT_EQ(reduce_tile({ReduceFunction::Sum}, tile.data(), 32, 32, 32, false), 257.0F);
    EXPECT_EQ(reduce_tile({ReduceFunction::Sum}, tile.data(), 32, 32, 32, true), 258.0F);
    EXPECT_EQ(reduce_tile({ReduceFunction::Mean}, tile.data(), 32, 32, 32, true), 258.0F / 1024);
    EXPECT_EQ(reduce_tile({ReduceFunction::Sum}, tile.data(), 32, 1, 2, false), 257.0F);
}

TEST(ReduceSums, TilesAreAddedByTheMatrixUnit) {
    using wormhole::DestWidth;
    const auto values = tf32_values(700, 30, false, 77);
    std::vector<float> sums = tf32_values(700, 30, true, 78);
    std::vector<std::uint32_t> expected;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        expected.push_back(wormhole::fpu_accumulate(
            std::bit_cast<std::uint32_t>(sums[i]), std::bit_cast<std::uint32_t>(values[i]), DestWidth::Bits32));
    }
    wormhole::accumulate_tiles(values.data(), values.size(), DestWidth::Bits32, sums.data());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_EQ(std::bit_cast<std::uint32_t>(sums[i]), expected[i]) << i;
    }
    float narrow = 256.0F;
    const float one = 1.0F;
    wormhole::accumulate_tiles(&one, 1, DestWidth::Bits16, &narrow);
    EXPECT_EQ(narrow, 258.0F) << "halves go away from zero";
}

// A 16-bit destination loses what a 32-bit one keeps.
TEST(ReduceSums, DestinationWidthCounts) {
    std::vector<float> line(64, 0.0F);
    line[0] = 256.0F;
    line[32] = 1.0F;
    line[33] = 0.25F;
    float out = 0.0F;
    sum_rows(SumSpec{1.0F, Fidelity::HiFi4}, line.data(), 64, 1, 64, &out);
    EXPECT_EQ(out, 257.25F);
    sum_rows(SumSpec{1.0F, Fidelity::HiFi4, wormhole::DestWidth::Bits16}, line.data(), 64, 1, 64, &out);
    EXPECT_EQ(out, 258.0F);
}

}  // namespace
}  // namespace ttnn_cpu::kernels
